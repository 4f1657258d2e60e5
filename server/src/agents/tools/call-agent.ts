import { z } from 'zod'
import type { AgentRecord } from '../agent/agents.store.ts'
import { MOST_DEPTH } from '../agent/limits.ts'
import { dataSection } from './quote.ts'
import { defineTool, type SourcedTools, ToolError, type ToolSource } from './tool.ts'

/** Longer than any run may take: the run's own limits end it. */
const TIMEOUT_MS = 86_400_000

export interface CallAgentOptions {
  /** Sub-agents of the agent that exist, and that its workspace and this member may use. */
  listSubAgents: (agent: AgentRecord, rightsHolderId: string | null) => Promise<AgentRecord[]>
}

/** Lets an agent put others of its organization to work. An agent that is at work already is not offered again. */
export const callAgent = (agents: CallAgentOptions): ToolSource => ({
  async of(agent, { path, rightsHolderId }) {
    if (agent.subAgentIds.length === 0) return { tools: [] }
    if (path.length >= MOST_DEPTH) return withheld(`${MOST_DEPTH} agents in a row is the most, and this is the last`)
    const there = await agents.listSubAgents(agent, rightsHolderId)
    const others = there.filter(({ id }) => !path.includes(id))
    if (others.length > 0) return { tools: [toolFor(others)] }
    return there.length === 0 ? { tools: [] } : withheld('Those that could be called are at work already')
  },
})

const withheld = (reason: string): SourcedTools => ({
  tools: [],
  withheld: [
    { name: 'call_agent', reason: `No other agent can be called here. ${reason}: answer with what you have.` },
  ],
})

function toolFor(agents: AgentRecord[]) {
  const list = agents.map(({ id, name, description }) => `- ${id}: ${name}${description ? `. ${description}` : ''}`)
  return defineTool({
    name: 'call_agent',
    description: `Gives a task to another agent and returns what it answers. It knows nothing of this conversation: say all that it needs. The agents:\n${list.join('\n')}`,
    arguments: z.object({
      agent_id: z.string().describe('Id of the agent, from the list'),
      query: z.string().min(1).max(20_000).describe('The task, complete'),
    }),
    timeoutMs: TIMEOUT_MS,
    isHighLevel: true,
    // Not read-only, whatever tools the other has: it may ask a person, and then all of the run has to wait with it, and
    // what it spends counts for whether the next reply of its caller may begin.
    async run({ agent_id, query }, { delegate }) {
      const agent = agents.find(({ id }) => id === agent_id)
      if (!agent) throw new ToolError(`There is no agent ${agent_id} to call. The agents:\n${list.join('\n')}`)
      const answer = await delegate(agent, query)
      return {
        content: dataSection({ from: agent.name }, answer),
        preview: { title: agent.name, content: answer, content_type: 'markdown' },
      }
    },
  })
}
