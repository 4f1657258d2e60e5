import {
  type CallToolResult,
  Client,
  type jsonSchemaValidator,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { deadline } from '../concurrency/deadline.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Logger } from '../telemetry/logger.ts'
import { type Failure, whyNoCall, whyUnreachable } from './failures.ts'
import { createGuardedFetch, type FetchWatch } from './guarded-fetch.ts'
import {
  type ListedTool,
  McpCallError,
  McpSessionLostError,
  type McpTarget,
  McpUnreachableError,
  type ServerInfo,
} from './target.ts'
import { withTokens } from './token-source.ts'

export interface McpConnection {
  server: ServerInfo | undefined
  /** False once either side has ended it. */
  readonly isOpen: boolean
  listTools(limits: CallLimits): Promise<ListedTool[]>
  /** @throws McpCallError, McpSessionLostError, or the signal's reason */
  callTool(name: string, given: Record<string, unknown>, limits: CallLimits): Promise<CallToolResult>
  close(): Promise<void>
}

export interface CallLimits {
  timeoutMs: number
  signal: AbortSignal
}

export interface ConnectOptions extends CallLimits {
  outbound: Outbound
  logger: Logger
  onToolsChanged?: () => void
}

const MOST_PAGES = 20
const CLOSING_MS = 2_000

/** Schemas come from the server as its results do: what one says of the other is nothing to rely on. */
const anything: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** Opens a connection. @throws McpUnreachableError, or the signal's reason */
export async function connectMcp(target: McpTarget, options: ConnectOptions): Promise<McpConnection> {
  const { logger, onToolsChanged, timeoutMs, signal } = options
  let lastFailure: Failure
  // Over streamable HTTP, what is not posted is a stream that only listens: servers need not have it, and it is opened
  // again when it breaks off.
  const matters = (isPost: boolean) => isPost || target.transport !== 'http'
  const { transport, goodbye } = openTransport(target, options, {
    onFailure(failure, isPost) {
      if (matters(isPost)) lastFailure = failure
    },
    onBreak(error, isPost) {
      if (!matters(isPost)) return
      lastFailure = error
      // Callers that wait for its contents would wait in vain.
      client.close().catch((err) => logger.debug({ err }, 'a broken connection to an MCP server was not closed'))
    },
  })
  const client = new Client(
    { name: 'docent', title: 'Docent', version: '1' },
    {
      // Only streamable HTTP can tell at no cost which revision a server speaks; the others speak the older ones.
      versionNegotiation: { mode: target.transport === 'http' ? 'auto' : 'legacy' },
      jsonSchemaValidator: anything,
      listMaxPages: MOST_PAGES,
      ...(onToolsChanged && { listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } } }),
    },
  )
  let isOpen = true
  client.onclose = () => {
    isOpen = false
  }
  client.onerror = (error) => logger.debug({ err: error }, 'an MCP server, or the connection to it, reports an error')
  try {
    await deadline(client.connect(transport, { timeout: timeoutMs, signal }), timeoutMs, signal)
  } catch (error) {
    await transport.close().catch(() => {})
    signal.throwIfAborted()
    throw new McpUnreachableError(whyUnreachable(target, error, lastFailure), { cause: error })
  }

  return {
    server: client.getServerVersion(),
    get isOpen() {
      return isOpen
    },

    async listTools({ timeoutMs, signal }) {
      lastFailure = undefined
      try {
        const { tools } = await deadline(client.listTools({}, { timeout: timeoutMs, signal }), timeoutMs, signal)
        return tools.map(toListed)
      } catch (error) {
        signal.throwIfAborted()
        throw new McpUnreachableError(whyUnreachable(target, error, lastFailure), { cause: error })
      }
    },

    async callTool(name, given, { timeoutMs, signal }) {
      lastFailure = undefined
      const limits = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal }
      try {
        return await client.callTool({ name, arguments: given }, limits)
      } catch (error) {
        signal.throwIfAborted()
        const isLost = error instanceof SdkHttpError && error.status === 404
        const Kind = isLost ? McpSessionLostError : McpCallError
        throw new Kind(whyNoCall(error, lastFailure), { cause: error })
      }
    },

    async close() {
      isOpen = false
      await goodbye().catch(() => {})
      await client.close().catch(() => {})
    },
  }
}

interface OpenTransport {
  transport: Transport
  /** Lets the server forget the session. */
  goodbye(): Promise<void>
}

function openTransport(target: McpTarget, { outbound, logger }: ConnectOptions, watch: FetchWatch): OpenTransport {
  const goodbye = async () => {}
  if (target.transport === 'stdio') {
    const { command, args, env } = target
    const transport = new StdioClientTransport({ command, args, env, stderr: 'pipe' })
    transport.stderr?.on('data', (said: Buffer) => {
      logger.debug({ command, said: String(said).slice(0, 2000) }, 'an MCP server wrote to its standard error')
    })
    return { transport, goodbye }
  }
  const url = new URL(target.url)
  const guarded = createGuardedFetch(outbound, watch)
  const send = target.tokens ? withTokens(guarded, target.url, target.tokens) : guarded
  const init = { fetch: send, requestInit: { headers: target.headers } }
  if (target.transport === 'sse') return { transport: new SSEClientTransport(url, init), goodbye }
  const transport = new StreamableHTTPClientTransport(url, init)
  return {
    transport,
    goodbye: () => deadline(transport.terminateSession(), CLOSING_MS),
  }
}

const toListed = ({ name, title, description, inputSchema, annotations }: Tool): ListedTool => ({
  name,
  title: title ?? annotations?.title,
  description,
  inputSchema: inputSchema as Record<string, unknown>,
  isReadOnly: annotations?.readOnlyHint,
  isDestructive: annotations?.destructiveHint,
})
