import { dataSection } from '../tools/quote.ts'
import { defineTool, type RunScope, type Tool, ToolError, type ToolSource } from '../tools/tool.ts'
import type { Configuration } from './configuration.ts'
import { Proposal } from './proposal.ts'

export interface ProposeChangesOptions {
  configuration: Configuration
  /** @throws DomainError that says what the server would not take */
  check(
    asker: Pick<RunScope, 'organizationId' | 'workspaceId' | 'rightsHolderId'>,
    changes: Proposal['changes'],
  ): Promise<void>
}

/** Lets a configurator propose changes of its agent. A proposal is shown, and applied by nobody but the person. */
export function proposeChanges({ configuration, check }: ProposeChangesOptions): ToolSource {
  const tool: Tool = defineTool({
    name: 'propose_changes',
    description:
      'Shows the person changes of the agent, to be applied or dismissed: fields with their new values, jobs and shortcuts to create.',
    arguments: Proposal,
    timeoutMs: 10_000,
    async brief({ agent, run }) {
      const present = await configuration.of(run, agent.id)
      return `The agent as it is now, and what it can be given:\n${dataSection({}, JSON.stringify(present, null, 1))}`
    },
    async run(proposal, { run }) {
      const { changes, jobs, shortcuts } = proposal
      if (Object.keys(changes).length + jobs.length + shortcuts.length === 0)
        throw new ToolError('The proposal holds no change')
      await check(run, changes)
      return {
        content: 'The person sees the proposal now. It is not applied: that is for the person to decide.',
        preview: { title: 'Proposed changes', content: JSON.stringify(proposal), content_type: 'json' },
      }
    },
  })
  return { of: async ({ isConfigurator }) => ({ tools: isConfigurator ? [tool] : [] }) }
}
