import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { firstServer, newestServer } from './mcp-tools.ts'

export interface McpTestServer {
  /** URL of the MCP endpoint. */
  url: string
  /** Everything that was asked so far. */
  requests: { method: string; headers: http.IncomingHttpHeaders }[]
  /** Changes what it does with requests from now on: answers itself, or lets them through. */
  intercept(by: (request: http.IncomingMessage, response: http.ServerResponse) => boolean): void
  /** Forgets all sessions, as after a restart. */
  forget(): void
}

type Serve = (request: http.IncomingMessage, response: http.ServerResponse) => Promise<void>

/** Listens on a port of its own to the end of the test. @returns its origin */
export async function listenFor(answer: http.RequestListener): Promise<string> {
  const server = http.createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listen(path: string, serve: Serve, forget = () => {}): Promise<McpTestServer> {
  const requests: McpTestServer['requests'] = []
  let intercept = (_request: http.IncomingMessage, _response: http.ServerResponse) => false
  const origin = await listenFor((request, response) => {
    requests.push({ method: request.method!, headers: request.headers })
    if (intercept(request, response)) return
    serve(request, response).catch(() => response.destroy())
  })
  return {
    url: `${origin}${path}`,
    requests,
    forget,
    intercept(by) {
      intercept = by
    },
  }
}

/** Answers of the SDK's own server. */
export function serveNewest(): Serve {
  const handler = createMcpHandler(newestServer)
  return async (request, response) => {
    const body = await buffer(request)
    const reply = await handler.fetch(
      new Request('http://tests/mcp', {
        method: request.method,
        headers: request.headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      }),
    )
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    if (reply.body) await pipeline(Readable.fromWeb(reply.body as never), response)
    else response.end()
  }
}

/** The SDK's own server, streamable HTTP, revision 2026-07-28 and, without sessions, those before. */
export function startNewestMcpServer(): Promise<McpTestServer> {
  return listen('/mcp', serveNewest())
}

/** The server of the SDK's first line, streamable HTTP with sessions. */
export function startSessionMcpServer(): Promise<McpTestServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return listen(
    '/mcp',
    async (request, response) => {
      const id = request.headers['mcp-session-id'] as string | undefined
      const known = id === undefined ? undefined : sessions.get(id)
      if (known) return known.handleRequest(request, response)
      if (id !== undefined) return void response.writeHead(404).end('no such session')
      const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (session) => void sessions.set(session, transport),
      })
      await firstServer().connect(transport as never)
      await transport.handleRequest(request, response)
    },
    () => sessions.clear(),
  )
}

/** The server of the SDK's first line, over the transport before streamable HTTP. */
export function startSseMcpServer(): Promise<McpTestServer> {
  const open = new Map<string, SSEServerTransport>()
  return listen('/sse', async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response)
      open.set(transport.sessionId, transport)
      return firstServer().connect(transport)
    }
    const session = new URL(request.url!, 'http://tests').searchParams.get('sessionId')
    await open.get(session!)!.handlePostMessage(request, response)
  })
}

/** A line for DOCENT_MCP_COMMANDS: a program that speaks the protocol on its standard input and output. */
export const stdioCommand = (...args: string[]): string =>
  JSON.stringify({
    tools: {
      command: process.execPath,
      args: [fileURLToPath(new URL('mcp-stdio.ts', import.meta.url)), ...args],
      env: { TOKEN: 'of the operator' },
    },
  })
