import type { Step, ToolStep } from '../answers/live-answer.ts'

/** Step with the steps of a sub-agent within it. */
export interface StepGroup {
  step: Step
  inner: StepGroup[]
}

/** Puts the steps of sub-agents into the calls that started them. */
export function groupSteps(steps: Step[]): StepGroup[] {
  const top: StepGroup[] = []
  const byCall = new Map<string, StepGroup>()
  for (const step of steps) {
    const group = { step, inner: [] }
    const above = step.kind === 'tool' && step.parentCallId ? byCall.get(step.parentCallId) : undefined
    ;(above?.inner ?? top).push(group)
    if (step.kind === 'tool' && step.callId) byCall.set(step.callId, group)
  }
  return top
}

/** Subject of a call, in a few words: the value of its first short text argument. */
export function summarizeCall({ given }: Pick<ToolStep, 'given'>): string | undefined {
  const values = Object.values(given ?? {})
  const text = values.find((value): value is string => typeof value === 'string' && value.trim() !== '')
  const line = text?.trim().split('\n')[0]
  return line && line.length > 90 ? `${line.slice(0, 90)}…` : line
}
