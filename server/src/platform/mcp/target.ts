import type { TokenSource } from './token-source.ts'

/** Address of an MCP server, and its transport. */
export type McpTarget =
  | { transport: 'http' | 'sse'; url: string; headers: Record<string, string>; tokens?: TokenSource }
  | ({ transport: 'stdio' } & McpCommand)

/** A program of this machine that is an MCP server on its standard input and output. */
export interface McpCommand {
  command: string
  args: string[]
  /** Environment in addition to PATH, HOME and the other variables every program needs. */
  env: Record<string, string>
}

/** A tool as its server describes it; nothing of it is to be trusted. */
export interface ListedTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  /** The server's hint that the tool changes nothing; undefined where it gives none. */
  isReadOnly?: boolean
  isDestructive?: boolean
}

export interface ServerInfo {
  name: string
  title?: string
  version: string
}

/** A server that cannot be reached or does not speak the protocol, explained to the person who set it up. */
export class McpUnreachableError extends Error {
  override name = 'McpUnreachableError'
  /** Message without words of the server's own. */
  readonly summary: string
  /** Whether it answered that somebody has to log in. */
  readonly wantsLogin: boolean
  constructor({ summary, detail = '', wantsLogin = false }: Why, options?: ErrorOptions) {
    super(detail ? `${summary}: ${detail}` : summary, options)
    this.summary = summary
    this.wantsLogin = wantsLogin
  }
}

/** Kind of the failure, and the server's words. */
export interface Why {
  summary: string
  detail?: string
  wantsLogin?: boolean
}

/** A call that the server refused or did not answer, in words that a model can act on. */
export class McpCallError extends Error {
  override name = 'McpCallError'
}

/** The server no longer knows the session: it has not done anything, and will after another connect. */
export class McpSessionLostError extends McpCallError {
  override name = 'McpSessionLostError'
}
