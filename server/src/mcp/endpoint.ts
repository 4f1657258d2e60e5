import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Caller } from '../access/access.ts'
import { createCalls } from './calls.ts'
import { createMcpServers, type McpServices } from './mcp.server.ts'

export interface McpEndpoint {
  /**
   * Answers one request of either era of the protocol. Nothing is kept in between, so that any process can answer the
   * next one.
   * @param body the request's, parsed
   */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>
}

const SESSION = 'mcp-session-id'
const BOTH = 'application/json, text/event-stream'

export function createMcpEndpoint(services: McpServices): McpEndpoint {
  const { logger } = services
  const newServer = createMcpServers(services)
  const calls = createCalls()
  // Since the revision of 2026-07-28 a request stands alone: leaving it cancels it.
  const modern = createMcpHandler(
    ({ authInfo, requestInfo }) =>
      newServer(
        authInfo!.extra!.caller as Caller,
        ({ mcpReq }) => ({ signal: mcpReq.signal, end() {} }),
        requestInfo!.headers.get('accept')!.includes('text/event-stream'),
      ),
    { legacy: 'reject', onerror: (error) => logger.debug({ err: error }, 'an MCP request was refused') },
  )

  /** Serves clients of older revisions: one that disconnects does not cancel; cancelling is a request of its own. */
  async function answerLegacy(request: Request, body: unknown, caller: Caller): Promise<Response> {
    const session = request.headers.get(SESSION)
    const callKey = (id: string | number) => `${caller.keyId} ${session} ${typeof id} ${id}`
    const cancelled = cancelledIn(body)
    if (session && cancelled !== undefined) calls.cancel(callKey(cancelled))

    const hearsEvents = request.headers.get('accept')!.includes('text/event-stream')
    const follow = ({ mcpReq }: ServerContext) => calls.begin(callKey(mcpReq.id))
    const server = newServer(caller, follow, hearsEvents)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: !hearsEvents,
    })
    await server.connect(transport)
    request.headers.set('accept', BOTH)
    const response = await transport.handleRequest(request, { parsedBody: body })
    // The session is a name and nothing more: by it, a client's calls are distinguished from those of others with its key.
    if (isInitializeRequest(body) && response.ok) response.headers.set(SESSION, randomUUID())
    return response
  }

  return {
    async answer(request, body, caller) {
      if (await isLegacyRequest(request, body)) return answerLegacy(request, body, caller)
      const authInfo = { token: '', clientId: caller.keyId, scopes: [], extra: { caller } }
      return modern.fetch(request, { authInfo, parsedBody: body })
    },
  }
}

/** The id of the request that this notification cancels. */
function cancelledIn(body: unknown): string | number | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { requestId?: unknown } }
  const id = method === 'notifications/cancelled' ? params?.requestId : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
