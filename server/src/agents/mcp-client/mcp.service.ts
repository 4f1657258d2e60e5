import { type ErrorDetail, invalidField, invalidFields } from '../../platform/errors.ts'
import type { McpPool } from '../../platform/mcp/pool.ts'
import { type McpCommand, type McpTarget, McpUnreachableError } from '../../platform/mcp/target.ts'
import { type OutboundGuard, refusalOf } from '../../platform/outbound/outbound-guard.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { type CheckMcpServer, MASK, type McpServer, type McpServerInput, type StoredMcpServer } from './mcp.schemas.ts'
import type { McpCheck } from './mcp-check.schemas.ts'
import { isSwitchedOn, toolNamesOf } from './mcp-tool-names.ts'
import type { McpLogins } from './oauth/mcp-logins.service.ts'

export interface McpServiceOptions {
  pool: McpPool
  guard: Pick<OutboundGuard, 'parse'>
  secrets: SecretBox
  commands: ReadonlyMap<string, McpCommand>
  logins: Pick<McpLogins, 'tokensOf' | 'find'>
}

/** Agent, also as it is about to be. */
type AgentOfServer = Pick<AgentRecord, 'organizationId' | 'id'>

const CHECK_MS = 15_000

/** The MCP servers of agents: what is stored of them, and how they are reached. */
export class McpService {
  readonly #options: McpServiceOptions

  constructor(options: McpServiceOptions) {
    this.#options = options
  }

  /**
   * Servers as they are to be stored, headers sealed; a masked one stays as it was.
   * @param pathOf where a server is in the request
   * @throws ValidationError for a URL that may not be asked, a program that no setting names, a mask without a value
   */
  toStored(
    organizationId: string,
    servers: readonly McpServerInput[],
    before: readonly StoredMcpServer[],
    pathOf = (index: number) => `mcp_servers.${index}`,
  ): StoredMcpServer[] {
    const details: ErrorDetail[] = []
    const stored = servers.map((server, index) => {
      const refuse = (field: string, message: string) => details.push({ path: `${pathOf(index)}.${field}`, message })
      this.#checkPlace(server, refuse)
      const known = before.find(({ name }) => name === server.name)
      const headers: Record<string, string> = {}
      for (const [name, value] of Object.entries(server.headers)) {
        if (value !== MASK) headers[name] = this.#options.secrets.seal(value, organizationId)
        else if (!known || known.headers[name] === undefined)
          refuse(`headers.${name}`, `has no stored value that ${MASK} could stand for: give it`)
        // Otherwise a person who may change the URL could have the secret sent to a server of theirs.
        else if (originOf(known.url) !== originOf(server.url))
          refuse(`headers.${name}`, 'must be given again, because the URL leads to another server')
        else headers[name] = known.headers[name]
      }
      const { name, transport, url = null, command = null, tools } = server
      return { name, transport, url, headers, command, tools: tools && [...new Set(tools)] }
    })
    if (details.length > 0) throw invalidFields(details)
    return stored
  }

  /** Whether a header as it is given is the one that is stored. */
  isStoredHeader(organizationId: string, sealed: string | undefined, value: string): boolean {
    if (sealed === undefined) return false
    if (value === MASK) return true
    try {
      return this.#options.secrets.open(sealed, organizationId) === value
    } catch {
      // The key that it was sealed with is gone.
      return false
    }
  }

  /** @throws McpUnreachableError for a program that no setting names any more, or headers that cannot be read */
  targetOf(agent: AgentOfServer, server: StoredMcpServer): McpTarget {
    if (server.transport === 'stdio') {
      const command = this.#options.commands.get(server.command!)
      if (command) return { transport: 'stdio', ...command }
      throw new McpUnreachableError({
        summary: `The setting DOCENT_MCP_COMMANDS no longer names ${server.command}`,
      })
    }
    const url = server.url!
    return {
      transport: server.transport,
      url,
      headers: this.#openHeaders(agent.organizationId, server.headers),
      tokens: this.#options.logins.tokensOf(agent, url),
    }
  }

  /** The server that a check names, of the agent's or as it is given. @throws ValidationError */
  chosen(organizationId: string, { name, server }: CheckMcpServer, before: readonly StoredMcpServer[]) {
    if (server) return this.toStored(organizationId, [server], before, () => 'server')[0]!
    const known = before.find((one) => one.name === name)
    if (known) return known
    const message = 'is none of the MCP servers of this agent'
    throw invalidField('name', message)
  }

  /** Connects to a server and lists its tools; a failure is returned as a readable message. */
  async check(agent: AgentOfServer, server: StoredMcpServer): Promise<McpCheck> {
    const looked = await this.#look(agent, server)
    const connection = server.url === null ? null : await this.#options.logins.find(agent, server.url)
    return { ...looked, connection }
  }

  async #look(agent: AgentOfServer, server: StoredMcpServer): Promise<Omit<McpCheck, 'connection'>> {
    const limits = { timeoutMs: CHECK_MS, signal: AbortSignal.timeout(2 * CHECK_MS) }
    try {
      const connection = await this.#options.pool.connect(this.targetOf(agent, server), limits)
      try {
        const tools = await connection.listTools(limits)
        const names = toolNamesOf(server.name, tools)
        return {
          is_reachable: true,
          wants_login: false,
          error_message: null,
          server_name: connection.server?.title ?? connection.server?.name ?? null,
          server_version: connection.server?.version ?? null,
          tools: tools.map((tool) => ({
            name: tool.name,
            tool_name: names.get(tool.name)!,
            title: tool.title ?? null,
            description: tool.description ?? '',
            input_schema: tool.inputSchema,
            is_read_only: tool.isReadOnly ?? null,
            is_destructive: tool.isDestructive ?? null,
            is_on: isSwitchedOn(server, tool.name),
          })),
        }
      } finally {
        // Its own failures end nothing, and nobody waits for its goodbye.
        connection.close().catch(() => {})
      }
    } catch (error) {
      if (!(error instanceof McpUnreachableError)) throw error
      return {
        is_reachable: false,
        wants_login: error.wantsLogin,
        error_message: error.message,
        server_name: null,
        server_version: null,
        tools: [],
      }
    }
  }

  #checkPlace({ url, command }: McpServerInput, refuse: (field: string, message: string) => void): void {
    const { commands, guard } = this.#options
    if (command && !commands.has(command)) {
      const known = [...commands.keys()].join(', ') || 'none'
      refuse('command', `must be one that the setting DOCENT_MCP_COMMANDS names (${known})`)
    }
    const refusal = url ? refusalOf(guard, url) : undefined
    if (refusal !== undefined) refuse('url', refusal)
  }

  #openHeaders(organizationId: string, sealed: Record<string, string>): Record<string, string> {
    try {
      return Object.fromEntries(
        Object.entries(sealed).map(([name, value]) => [name, this.#options.secrets.open(value, organizationId)]),
      )
    } catch (error) {
      const summary = 'Its headers cannot be read, because the key that they were sealed with is gone: give them again'
      throw new McpUnreachableError({ summary }, { cause: error })
    }
  }
}

/** The server as it is shown, without its secrets. */
export const toWireMcpServer = (server: StoredMcpServer): McpServer => ({
  name: server.name,
  transport: server.transport,
  url: server.url,
  headers: Object.fromEntries(Object.keys(server.headers).map((name) => [name, MASK])),
  command: server.command,
  tools: server.tools,
})

export const originOf = (url: string | null | undefined): string | undefined =>
  (url && URL.parse(url)?.origin) || undefined
