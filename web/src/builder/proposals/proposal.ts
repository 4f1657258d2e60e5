import type { CreateJob, CreateShortcut, UpdateAgent } from '@docent/sdk'
import type { Step } from '../../chats/chats.ts'

/** Changes that a configuration chat proposes. */
export interface Proposal {
  summary: string
  changes: UpdateAgent
  jobs: CreateJob[]
  shortcuts: Omit<CreateShortcut, 'job_id'>[]
}

/** Proposals among the steps of an answer. */
export const proposalsIn = (steps: Step[]): Proposal[] =>
  steps.flatMap((step) => {
    if (step.kind !== 'tool' || step.toolName !== 'propose_changes') return []
    if (step.preview?.status !== 'completed' || step.preview.content_type !== 'json') return []
    try {
      return [JSON.parse(step.preview.content) as Proposal]
    } catch {
      return []
    }
  })
