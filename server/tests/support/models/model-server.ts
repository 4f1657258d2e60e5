import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerEmbeddings } from './model-embeddings.ts'
import { type Answer, type ContentStep, type ProtocolName, protocolOf, renderer } from './model-protocols.ts'

/**
 * Steps of an answer, in order: a string is one token of text; a reasoning token; a whole tool call (sent in fragments
 * where the protocol has them); a pause, for a time or until something has happened; silence until the client leaves; a
 * connection cut (`clean`: the body ends as if it were whole).
 */
export type Step =
  | ContentStep
  | { waitMs: number }
  | { until: Promise<unknown> }
  | { hang: true }
  | { cut: true | 'clean' }

/**
 * How one request is answered.
 * - `steps`: an answer in the protocol of the URL that was asked, streamed or as one JSON as the client asked.
 * - `frames`: server-sent events as they are (values become JSON, strings stay), for servers that do it their own way.
 * - `bytes`: chunks of a body, one write each, for what is no protocol at all.
 * - `status`: an error or any other complete answer; an object becomes JSON.
 * - `silence`: the request is read and nothing is answered, until the client leaves.
 * - `drop`: the connection is closed without an answer.
 */
export type Reply =
  | ({ steps: Step[]; tokenDelayMs?: number; forceJson?: boolean } & Partial<Answer>)
  | { frames: unknown[]; delayMs?: number; end?: boolean }
  | { bytes: (string | Uint8Array)[]; contentType?: string; delayMs?: number }
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { silence: true }
  | { drop: true }

/** A request as it arrived. `left` resolves when the connection of the answer is gone or the answer is complete. */
interface ReceivedRequest {
  protocol: ProtocolName
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  /** The wire's own shape: JSON or a form, parsed. */
  body: any
  /** True once the client went away before the answer was complete. */
  aborted: boolean
  left: Promise<void>
}

/** Decides the answer to the request with this number, from 0. `undefined`: `ok` as text, or real-looking vectors. */
export type Script = (request: ReceivedRequest, index: number) => Reply | undefined | Promise<Reply | undefined>

/** Answers where models are listed. */
export type ModelList = (request: ReceivedRequest) => unknown

export interface ModelServer {
  /** `http://127.0.0.1:PORT`. */
  url: string
  /** Base URLs as the settings take them. */
  openaiUrl: string
  anthropicUrl: string
  googleUrl: string
  /** Everything that was asked so far, oldest first. */
  requests: ReceivedRequest[]
  /** Connections that were ever opened: shows whether they are kept alive. */
  connections(): number
  /** Forgets what was asked, and follows another script. */
  restart(script?: Script): void
  /** Whether it listens, and answers nobody at the moment. */
  isUnused(): boolean
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A model provider over HTTP with scripted answers. Speaks chat completions, embeddings and OpenAI's Responses (`/v1`),
 * Anthropic messages (`/v1/messages`) and Google's generateContent and embedContent (`/v1beta`). Listens on a free port
 * of 127.0.0.1.
 *
 *     await using server = await startModelServer({ script: inOrder(answer('Hel', 'lo'), { status: 500 }) })
 *
 * @param list What is answered where models are listed (GET, and Ollama's /api/...): JSON; undefined: 404. These requests
 *   are not the script's.
 * @param record Default true. Benches switch it off: `requests` then stays empty.
 */
export async function startModelServer({
  script = () => undefined,
  list,
  record = true,
}: {
  script?: Script
  list?: ModelList
  record?: boolean
} = {}): Promise<ModelServer> {
  const requests: ReceivedRequest[] = []
  let count = 0
  let connections = 0
  let current = script
  let open = 0
  const server = http.createServer(async (incoming, response) => {
    open++
    response.on('close', () => open--)
    const request = await receive(incoming, response)
    if (request.method === 'GET' || request.path.startsWith('/api/')) {
      const listed = await list?.(request)
      return sendJson(response, listed === undefined ? 404 : 200, listed ?? { error: { message: 'no list here' } })
    }
    const index = count++
    if (record) requests.push(request)
    const reply = await current(request, index)
    if (reply) await play(reply, request, response)
    else if (request.protocol === 'embeddings' || request.protocol === 'google-embeddings') {
      sendJson(response, 200, answerEmbeddings(request))
    } else await play(answer('ok'), request, response)
  })
  server.on('connection', () => connections++)
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function close() {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  return {
    url,
    openaiUrl: `${url}/v1`,
    anthropicUrl: `${url}/v1`,
    googleUrl: `${url}/v1beta`,
    requests,
    connections: () => connections,
    restart(next = () => undefined) {
      current = next
      count = 0
      requests.length = 0
    },
    isUnused: () => server.listening && open === 0,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Settings of a server that asks it alone. */
export const settingsOf = (openaiUrl: string) => ({
  OPENAI_COMPATIBLE_BASE_URL: openaiUrl,
  DOCENT_MODEL: 'openai-compatible/scripted',
})

/** An answer of these steps, without pauses. */
export function answer(...steps: Step[]): Reply {
  return { steps }
}

/** The first request gets the first reply, and so on; one too many gets a 500 that says so. */
export function inOrder(...replies: Reply[]): Script {
  return (_request, index) => replies[index] ?? { status: 500, body: { error: { message: 'the script has no more' } } }
}

async function receive(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<ReceivedRequest> {
  const path = incoming.url ?? '/'
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const bytes = Buffer.concat(parts)
  const request: ReceivedRequest = {
    protocol: protocolOf(path),
    method: incoming.method ?? 'GET',
    path,
    headers: incoming.headers,
    body: await bodyOf(bytes, incoming.headers['content-type']),
    aborted: false,
    left: new Promise((resolve) =>
      response.on('close', () => {
        request.aborted = !response.writableFinished
        resolve()
      }),
    ),
  }
  return request
}

function bodyOf(bytes: Buffer, type = ''): unknown {
  if (type.startsWith('multipart/'))
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
}

async function play(reply: Reply, request: ReceivedRequest, response: http.ServerResponse): Promise<void> {
  if ('silence' in reply) return
  if ('drop' in reply) response.destroy()
  else if ('status' in reply) sendJson(response, reply.status, reply.body ?? '', reply.headers)
  else if ('bytes' in reply) {
    response.writeHead(200, { 'content-type': reply.contentType ?? 'text/event-stream' })
    await writeEach(response, reply.bytes, reply.delayMs ?? 5)
    response.end()
  } else if ('frames' in reply) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const lines = reply.frames.map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`)
    await writeEach(response, reply.delayMs ? lines : [lines.join('')], reply.delayMs ?? 0)
    if (reply.end !== false) response.end()
  } else await playSteps(reply, request, response)
}

async function playSteps(
  reply: Extract<Reply, { steps: Step[] }>,
  request: ReceivedRequest,
  response: http.ServerResponse,
): Promise<void> {
  const render = renderer(request.protocol, request.body, reply)
  if (!render.isStream || reply.forceJson) {
    for (const step of reply.steps) {
      if (typeof step === 'object' && 'waitMs' in step) await sleep(step.waitMs)
      else if (typeof step === 'object' && 'until' in step) await step.until
      else if (typeof step === 'object' && 'hang' in step) return
      else if (typeof step === 'object' && 'cut' in step) return void response.destroy()
      else render.step(step)
    }
    return sendJson(response, 200, render.whole())
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  // Chunks without a pause between them leave in one write, as a fast provider's do.
  let pending = render.open()
  const flush = () => {
    if (pending) response.write(pending)
    pending = ''
  }
  for (const step of reply.steps) {
    if (response.destroyed) return
    if (typeof step === 'object' && 'waitMs' in step) {
      flush()
      response.flushHeaders()
      await sleep(step.waitMs)
    } else if (typeof step === 'object' && 'until' in step) {
      flush()
      response.flushHeaders()
      await step.until
    } else if (typeof step === 'object' && 'hang' in step) {
      flush()
      response.flushHeaders()
      return
    } else if (typeof step === 'object' && 'cut' in step) {
      flush()
      if (step.cut === 'clean') return void response.end()
      // The bytes must be on their way before the connection goes.
      await sleep(20)
      response.destroy()
      return
    } else {
      pending += render.step(step)
      if (reply.tokenDelayMs !== undefined) {
        flush()
        await sleep(reply.tokenDelayMs)
      }
    }
  }
  response.end(pending + render.end())
}

async function writeEach(response: http.ServerResponse, parts: (string | Uint8Array)[], delayMs: number) {
  for (const part of parts) {
    if (response.destroyed) return
    response.write(part)
    if (delayMs) await sleep(delayMs)
  }
}

function sendJson(response: http.ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}
