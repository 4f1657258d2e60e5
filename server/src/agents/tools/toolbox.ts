import { z } from 'zod'
import type { ModelTool } from '../../platform/models/model.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { isNamedIn } from './builtin-tools.ts'
import type { SourcedTools, Tool, ToolSource, ToolSourceContext } from './tool.ts'

export interface OfferedTool {
  tool: Tool
  forModel: ModelTool
}

/** Tools offered to an agent's model in a run. */
export interface OpenToolbox {
  tools: OfferedTool[]
  problems: { name: string; message: string }[]
  /** Tools not among `tools` although a model may know of them. */
  withheld: { name: string; reason: string }[]
}

export interface Toolbox {
  open(agent: AgentRecord, context: ToolSourceContext): Promise<OpenToolbox>
}

/** Every tool that this server has, its schema written out for models once, and where others come from. */
export function createToolbox({ builtin, sources = [] }: { builtin: Tool[]; sources?: ToolSource[] }): Toolbox {
  const offered = new Map(builtin.map((tool) => [tool.name, offer(tool)]))
  return {
    async open(agent, context) {
      const tools = agent.tools.map((name) => offered.get(name)).filter((tool) => tool !== undefined)
      const sourced = await Promise.all(sources.map((source) => source.of(agent, context)))
      return {
        tools: [...tools, ...sourced.flatMap((source) => allowed(agent, source))],
        problems: sourced.flatMap(({ problems = [] }) => problems),
        withheld: sourced.flatMap(({ withheld = [] }) => withheld),
      }
    },
  }
}

/** Offers a tool whose schema is written out when a model first gets it. */
function offer(tool: Tool): OfferedTool {
  let forModel: ModelTool | undefined
  return {
    tool,
    get forModel() {
      forModel ??= toModelTool(tool)
      return forModel
    },
  }
}

/** A job may have fewer tools than its agent. */
const allowed = ({ allowedTools }: AgentRecord, { tools }: SourcedTools): OfferedTool[] =>
  tools
    .filter(({ name }) => allowedTools === null || isNamedIn(allowedTools, name))
    .map((tool) => ({ tool, forModel: toModelTool(tool) }))

function toModelTool({ name, description, arguments: schema, parameters }: Tool): ModelTool {
  if (parameters) return { name, description, parameters }
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
  return { name, description, parameters: written }
}
