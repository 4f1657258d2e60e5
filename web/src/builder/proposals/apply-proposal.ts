import type { Agent } from '@docent/sdk'
import { updateAgent } from '../../agents/agents.ts'
import { readJobs, readShortcuts, saveJob, saveShortcut } from '../builder.queries.ts'
import type { Proposal } from './proposal.ts'
import { findMissing } from './proposal-rest.ts'

/**
 * Applies a proposal with the rights of the signed-in key. After a failure it continues with what is still missing.
 * @throws DocentError
 */
export async function applyProposal(agent: Agent, proposal: Proposal): Promise<void> {
  const { changes } = proposal
  if (Object.keys(changes).length > 0) await updateAgent(agent.id, changes)
  const { jobs, shortcuts } = findMissing(proposal, await readJobs(agent.id), await readShortcuts(agent.id))
  for (const job of jobs) await saveJob(agent.id, null, job)
  for (const shortcut of shortcuts) await saveShortcut(agent.id, null, shortcut)
}
