import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'
import { type Caller, mayCall } from '../access/access.ts'
import { type AgentOutline, renderShortcut, type ShortcutRecord, type ShortcutService } from '../agents/agents.ts'
import { slugOf, toolNames } from './agent-tool-names.ts'
import { invalidParams, pageFrom } from './answers.ts'

const PAGE = 100

interface Found {
  name: string
  tool: string
  agent: AgentOutline
  shortcut: ShortcutRecord
}

export interface ShortcutPromptsOptions {
  shortcuts: ShortcutService
  visibleAgents(caller: Caller): Promise<AgentOutline[]>
}

/** The shortcuts of the agents as prompts: they ask the client's model to put the question to the agent. */
export function createShortcutPrompts({ shortcuts, visibleAgents }: ShortcutPromptsOptions) {
  async function all(caller: Caller): Promise<Found[]> {
    if (!mayCall(caller, 'agents.shortcuts.list')) return []
    const agents = await visibleAgents(caller)
    const tools = toolNames(agents)
    const found: Found[] = []
    const taken = new Set<string>()
    for (const agent of agents) {
      const tool = tools.get(agent.id)!
      const { shortcuts: some } = await shortcuts.list(caller, agent.id, { page: 1, page_size: PAGE })
      for (const shortcut of some.reverse()) {
        const slug = slugOf(shortcut.name)
        const short = `${tool}__${slug || shortcut.id}`
        const name = taken.has(short) ? `${tool}__${slug}_${shortcut.id}` : short
        taken.add(name)
        found.push({ name, tool, agent, shortcut })
      }
    }
    return found
  }

  return {
    async list(caller: Caller, cursor: string | undefined) {
      const { page, ...next } = pageFrom(await all(caller), cursor, PAGE)
      return { prompts: page.map(toPrompt), ...next }
    },

    /** @throws ProtocolError for a prompt that is not there, ValidationError for its arguments */
    async get(caller: Caller, name: string, given: Record<string, string>): Promise<GetPromptResult> {
      const found = (await all(caller)).find((prompt) => prompt.name === name)
      if (!found) throw invalidParams(`There is no prompt named ${name}`)
      const values = Object.entries(given).map(([field_name, field_value]) => ({ field_name, field_value }))
      const text = `Ask with the tool ${found.tool}:\n\n${renderShortcut(found.shortcut, values)}`
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    },
  }
}

const toPrompt = ({ name, agent, shortcut }: Found): Prompt => ({
  name,
  title: `${agent.name}: ${shortcut.name}`,
  arguments: shortcut.fields.map(({ name, required, type, options }) => ({
    name,
    required,
    ...(type !== 'text' && { description: type === 'select' ? `One of: ${options.join(', ')}` : 'A number' }),
  })),
})
