import type { Agent, CreateJob, CreateShortcut, UpdateAgent } from '@docent/sdk'
import { updateAgent } from '../agents/agents.queries.ts'
import type { Step } from '../chats/live-answer.ts'
import { createStore, useStore } from '../platform/store.ts'
import { saveJob, saveShortcut } from './builder.queries.ts'

/** What a configuration chat proposes. */
export interface Proposal {
  summary: string
  changes: UpdateAgent
  jobs: CreateJob[]
  shortcuts: Omit<CreateShortcut, 'job_id'>[]
}

/** The proposals among the steps of an answer. */
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

/** Carries a proposal out with the rights of whoever applies it. @throws DocentError */
export async function applyProposal(agent: Agent, { changes, jobs, shortcuts }: Proposal): Promise<void> {
  if (Object.keys(changes).length > 0) await updateAgent(agent.id, changes)
  for (const job of jobs) await saveJob(agent.id, null, job)
  for (const shortcut of shortcuts) await saveShortcut(agent.id, null, shortcut)
}

/** What became of proposals, by message and place; kept with the browser's tab. */
const STORAGE_KEY = 'docent.proposals'
type Outcome = 'applied' | 'dismissed'

const outcomes = createStore<Record<string, Outcome>>(read())

function read(): Record<string, Outcome> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
  } catch {
    return {}
  }
}

export const useOutcome = (key: string): Outcome | undefined => useStore(outcomes)[key]

export function settle(key: string, outcome: Outcome): void {
  outcomes.set((all) => ({ ...all, [key]: outcome }))
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(outcomes.get()))
  } catch {
    // Storage is switched off: the page itself remembers.
  }
}
