import type { Agent } from '@docent/sdk'
import { updateAgent } from '../../agents/agents.ts'
import { readJobs, readShortcuts, saveJob, saveShortcut } from '../builder.queries.ts'
import type { Proposal } from './proposal.ts'
import { restOf } from './proposal-rest.ts'

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
