import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { allowEveryOrigin, answerPreflights, requireApiKey } from '../access/access.ts'
import type { OpenStreams } from '../platform/cluster/limits/open-streams.ts'
import { lazy } from '../platform/concurrency/lazy.ts'
import { DomainError } from '../platform/errors.ts'
import type { McpEndpoint } from './endpoint.ts'
import { requireKnownOrigin } from './known-origin.ts'
import type { McpServices } from './mcp.server.ts'

export type McpRoutesOptions = McpServices &
  Parameters<typeof requireApiKey>[1] & {
    openStreams: OpenStreams
    publicUrl(): string
    /** Tells a client without a token where to get one. */
    challengeOf(request: FastifyRequest, audience: 'mcp'): string
  }

/**
 * Docent's own MCP server (streamable HTTP, revisions 2025-03-26 to 2026-07-28), with an API key or the token of an
 * app. The key's scopes decide what each request may do, tool by tool and resource by resource.
 */
export const mcpRoutes =
  (services: McpRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    answerPreflights(app, '/mcp', 'POST, GET, DELETE')
    await app.register(calls(services))
  }

const calls =
  (services: McpRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    allowEveryOrigin(app)
    requireApiKey(app, { ...services, audience: 'mcp' })
    // Clients that know nothing but the address find out by the header where to log in.
    app.addHook('onSend', async (request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', services.challengeOf(request, 'mcp'))
    })
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof DomainError && error.code === 'VALIDATION_ERROR')) throw error
      // Clients read problems of a body as answers of the protocol (JSON-RPC 2.0, error object).
      return reply.status(400).send({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: error.message } })
    })
    const endpoint = lazy<McpEndpoint>(async () => (await import('./endpoint.ts')).createMcpEndpoint(services))

    const checkOrigin = (request: FastifyRequest) =>
      requireKnownOrigin(request, services.publicUrl(), services.appTokens.prefix)
    refuseSessions(app, checkOrigin)
    app.post('/mcp', { config: { access: { who: 'caller', bound: 'itself' } } }, async (request, reply) => {
      checkOrigin(request)
      const { answer } = await endpoint.get()
      const leave = isCall(request.body) ? await services.openStreams.open(request.caller.keyId) : () => {}
      try {
        const left = new AbortController()
        reply.raw.once('close', () => left.abort())
        await send(reply, await answer(toWebRequest(request, left.signal), request.body, request.caller))
      } finally {
        leave()
      }
      return reply
    })
  }

/**
 * Refuses what a server without sessions has not: a stream of its own messages and the end of a session. Clients try
 * both and continue at a 405 (MCP, streamable HTTP); pages of other origins must be able to read it.
 */
function refuseSessions(app: FastifyInstance, checkOrigin: (request: FastifyRequest) => void): void {
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    config: { access: { who: 'caller', bound: 'itself' } },
    handler: async (request, reply) => {
      checkOrigin(request)
      const message = `This MCP server keeps no sessions: it takes POST, not ${request.method}`
      return reply.status(405).header('allow', 'OPTIONS, POST').send({ error_code: 'METHOD_NOT_ALLOWED', message })
    },
  })
}

const PARSE_ERROR = -32700

/** Calls of tools are what takes its time. */
const isCall = (body: unknown): boolean =>
  [body].flat().some((message) => (message as { method?: unknown } | null)?.method === 'tools/call')

function toWebRequest({ headers: given, body }: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) for (const one of [value ?? []].flat()) headers.append(name, one)
  // JSON is the default for clients that accept anything.
  if (!/json|event-stream/.test(headers.get('accept') ?? '')) headers.set('accept', 'application/json')
  return new Request('http://docent/mcp', { method: 'POST', headers, signal, ...(body === undefined && { body: '' }) })
}

async function send(reply: FastifyReply, response: Response): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  if (!response.headers.get('content-type')?.includes('event-stream') || !response.body) {
    reply
      .status(response.status)
      .headers(headers)
      .send(Buffer.from(await response.arrayBuffer()))
    return
  }
  const { raw } = reply
  reply.hijack()
  raw.writeHead(response.status, {
    ...(reply.getHeaders() as Record<string, string>),
    ...headers,
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  // A client that leaves is no failure.
  await pipeline(Readable.fromWeb(response.body as ReadableStream), raw).catch(() => {})
  if (!raw.closed) await once(raw, 'close')
}
