import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Caller, mayCall } from '../access/access.ts'
import type { AgentOutline, AgentService } from '../agents/agents.ts'
import { findNamed, toolNames } from './agent-tool-names.ts'
import { invalidParams, pageFrom } from './answers.ts'
import { type AskAgent, AskedAgent, type Asking, AskWith } from './ask-agent.ts'

const PAGE = 100

export interface AgentToolsOptions {
  agents: AgentService
  askAgent: AskAgent
}

/** Every agent that a key may ask, as a tool. */
export function createAgentTools({ agents, askAgent }: AgentToolsOptions) {
  /** Oldest first, so that new ones come at the end of the list. */
  async function visible(caller: Caller): Promise<AgentOutline[]> {
    return mayCall(caller, 'chats.queries.create') ? agents.outlines(caller) : []
  }

  return {
    visible,

    async list(caller: Caller, cursor: string | undefined) {
      const all = await visible(caller)
      const names = toolNames(all)
      const { page, ...next } = pageFrom(all, cursor, PAGE)
      return { tools: page.map((agent) => toTool(agent, names.get(agent.id)!)), ...next }
    },

    /** @throws ProtocolError for a tool that is not there; what goes wrong after that is a result that says so. */
    async call(caller: Caller, name: string, given: unknown, asking: Asking): Promise<CallToolResult> {
      const agent = findNamed(await visible(caller), name)
      if (!agent) throw invalidParams(`There is no tool named ${name}`)
      return askAgent(caller, agent, given, asking)
    },
  }
}

const INPUT = schemaOf(AskWith)
const OUTPUT = schemaOf(AskedAgent)

const HOW =
  'Answers in text, with the passages that it relies on. Each call begins a new conversation unless chat_id names one.'

const toTool = ({ name: title, description }: AgentOutline, name: string): Tool => ({
  name,
  title,
  description: `${description.trim() || `Asks the agent "${title}".`}\n\n${HOW}`,
  inputSchema: INPUT,
  outputSchema: OUTPUT,
  annotations: { title, readOnlyHint: false, idempotentHint: false },
})

function schemaOf(schema: z.ZodType): Tool['inputSchema'] {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: 'input' })
  return written as Tool['inputSchema']
}
