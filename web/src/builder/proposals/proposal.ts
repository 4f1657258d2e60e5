import type { Agent, CreateJob, CreateShortcut, UpdateAgent } from '@docent/sdk'
import { updateAgent } from '../../agents/agents.queries.ts'
import type { Step } from '../../chats/answers/live-answer.ts'
import { useStore } from '../../platform/store.ts'
import { createTabStore } from '../../platform/tab-store.ts'
import { readJobs, readShortcuts, saveJob, saveShortcut } from '../builder.queries.ts'
import { restOf } from './proposal-rest.ts'

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

/**
 * Carries a proposal out with the rights of whoever applies it. One that failed half-way goes on where it ended.
 * @throws DocentError
 */
export async function applyProposal(agent: Agent, proposal: Proposal): Promise<void> {
  const { changes } = proposal
  if (Object.keys(changes).length > 0) await updateAgent(agent.id, changes)
  const { jobs, shortcuts } = restOf(proposal, await readJobs(agent.id), await readShortcuts(agent.id))
  for (const job of jobs) await saveJob(agent.id, null, job)
  for (const shortcut of shortcuts) await saveShortcut(agent.id, null, shortcut)
}

/** What became of proposals, by message and place. */
type Outcome = 'applied' | 'dismissed'

const outcomes = createTabStore<Record<string, Outcome>>('docent.proposals', {})

export const useOutcome = (key: string): Outcome | undefined => useStore(outcomes)[key]

export const settle = (key: string, outcome: Outcome): void => outcomes.set((all) => ({ ...all, [key]: outcome }))
