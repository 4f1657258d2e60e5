import { z } from 'zod'
import type { ModelTool } from '../../platform/models/model.ts'
import type { AgentRecord } from '../agents.store.ts'
import type { Tool } from './tool.ts'

export interface OfferedTool {
  tool: Tool
  forModel: ModelTool
}

export interface Toolbox {
  /** What this agent's model is offered. */
  of(agent: AgentRecord): OfferedTool[]
}

/** Every tool that this server has, with its schema written out for models once. */
export function createToolbox(tools: Tool[]): Toolbox {
  const offered = new Map(tools.map((tool) => [tool.name, { tool, forModel: toModelTool(tool) }]))
  return {
    of: (agent) => agent.tools.map((name) => offered.get(name)).filter((tool) => tool !== undefined),
  }
}

function toModelTool({ name, description, arguments: schema }: Tool): ModelTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
  return { name, description, parameters }
}
