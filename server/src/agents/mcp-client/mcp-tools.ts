import { hash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { McpPool } from '../../platform/mcp/pool.ts'
import { type ListedTool, McpCallError, McpUnreachableError } from '../../platform/mcp/target.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { defineTool, type SourcedTools, type Tool, type ToolSource } from '../tools/tool.ts'
import type { StoredMcpServer } from './mcp.schemas.ts'
import type { McpService } from './mcp.service.ts'
import { textOf, toToolError, toToolResult } from './mcp-result.ts'
import { isSwitchedOn, toolNamesOf } from './mcp-tool-names.ts'

/** How long the begin of a run waits for a server. */
const LIST_MS = 5_000
const CALL_MS = 60_000
/** A model that is offered more finds none of them. */
const MOST_TOOLS = 100
/** Length of a tool's title in the steps of an answer. */
const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 4000
const LARGEST_SCHEMA = 32_768

export interface McpToolsOptions {
  pool: McpPool
  mcp: Pick<McpService, 'targetOf'>
}

/** Brings the tools of an agent's MCP servers. An unreachable server is reported, and the agent continues without it. */
export const mcpTools = ({ pool, mcp }: McpToolsOptions): ToolSource => {
  async function listTools(agent: AgentRecord, server: StoredMcpServer, signal: AbortSignal): Promise<SourcedTools> {
    const key = keyOf(agent, server)
    try {
      const target = mcp.targetOf(agent, server)
      const listed = await pool.listTools(key, target, { timeoutMs: LIST_MS, signal })
      const names = toolNamesOf(server.name, listed)
      const call = (name: string, given: Record<string, unknown>, callSignal: AbortSignal) =>
        pool.callTool(key, target, { name, given }, { timeoutMs: CALL_MS, signal: callSignal })
      const on = listed.filter(({ name }) => isSwitchedOn(server, name))
      const tools = on.slice(0, MOST_TOOLS).map((tool) => toTool(names.get(tool.name)!, tool, call))
      return { tools, problems: problemsWith(server, listed, on.length) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof McpUnreachableError)) throw error
      return {
        tools: [],
        problems: [{ name: server.name, message: `The MCP server ${server.name} is away: ${error.summary}` }],
      }
    }
  }

  return {
    async of(agent, { signal }) {
      const found = await Promise.all(agent.mcpServers.map((server) => listTools(agent, server, signal)))
      return {
        tools: found.flatMap(({ tools }) => tools),
        problems: found.flatMap(({ problems = [] }) => problems),
      }
    },
  }
}

type CallTool = (name: string, given: Record<string, unknown>, signal: AbortSignal) => Promise<CallToolResult>

function toTool(name: string, listed: ListedTool, call: CallTool): Tool {
  const { description = listed.title ?? '', inputSchema, isReadOnly } = listed
  return defineTool({
    name,
    description: description.slice(0, LONGEST_DESCRIPTION),
    // The server validates the arguments.
    arguments: z.record(z.string(), z.unknown()),
    parameters: parametersOf(inputSchema),
    // The connection has the same limit and says more of why.
    timeoutMs: CALL_MS + 5_000,
    // A server that says so wrongly is asked several things at once, and nothing else comes of it.
    isReadOnly,
    async run(given, { signal }) {
      const result = await call(listed.name, given, signal).catch((error) => {
        if (error instanceof McpCallError) throw toToolError(name, error.message)
        if (error instanceof McpUnreachableError) throw toToolError(name, error.summary)
        throw error
      })
      if (result.isError) throw toToolError(name, textOf(result))
      return toToolResult(name, result, listed.title?.trim().slice(0, LONGEST_TITLE) || undefined)
    },
  })
}

/** A schema that no model could read is left out: the description and the server's errors have to do. */
function parametersOf({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const isUsable = schema.type === 'object' && JSON.stringify(schema).length <= LARGEST_SCHEMA
  return isUsable ? { properties: {}, ...schema } : { type: 'object', properties: {} }
}

function problemsWith(server: StoredMcpServer, listed: ListedTool[], count: number): SourcedTools['problems'] {
  const offered = new Set(listed.map(({ name }) => name))
  const missing = server.tools?.filter((name) => !offered.has(name)) ?? []
  const messages: string[] = []
  if (missing.length > 0) messages.push(`The MCP server ${server.name} no longer offers: ${missing.join(', ')}`)
  if (count > MOST_TOOLS)
    messages.push(
      `The MCP server ${server.name} offers ${count} tools, of which ${MOST_TOOLS} are used: switch some on`,
    )
  return messages.map((message) => ({ name: server.name, message }))
}

/** One connection for each agent and definition: what one agent may do is nothing that another inherits. */
const keyOf = ({ organizationId, id }: AgentRecord, { tools: _, ...server }: StoredMcpServer): string =>
  `${organizationId} ${id} ${hash('sha256', JSON.stringify(server), 'base64url')}`
