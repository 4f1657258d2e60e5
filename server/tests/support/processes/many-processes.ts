import { expect, onTestFinished } from 'vitest'
import { type EventReader, readEvents } from '../chats/events.ts'
import { postgresAdminUrl } from '../database/postgres.ts'
import { type Reply, settingsOf, startModelServer } from '../models/model-server.ts'
import { startCluster } from './cluster.ts'
import { KEY } from './restartable.ts'

/** Machines that run many things at once take their time. */
export const SLOWLY = 120_000

/** Answers to the requests of one query, in their order; the last one again for those that come after. */
type Answers = Reply[]

/** Several processes on one database, and a model that answers each query as it was told to. */
export async function startManyProcesses({ apis, workers }: { apis: number; workers: number }) {
  const answers = new Map<string, Answers>()
  const asked: string[] = []
  const model = await startModelServer({
    script({ body }) {
      const query = body.messages.findLast(({ role }: any) => role === 'user').content
      asked.push(query)
      const given = answers.get(query)
      return given && (given.length > 1 ? given.shift() : given[0])
    },
  })
  const cluster = await startCluster({
    adminUrl: await postgresAdminUrl(),
    apis,
    workers,
    settings: {
      DOCENT_OWNER_KEY: KEY,
      DOCENT_METRICS_TOKEN: KEY,
      DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
      ...settingsOf(model.openaiUrl),
    },
  })
  const api = (index: number) => clientOf(cluster.apis[index]!.url)
  const newAgent = async (fields: Record<string, unknown> = {}): Promise<string> =>
    (await api(0).call('POST', '/agents', { name: 'Guide', ...fields })).body.data.id
  const agentId = await newAgent()

  return {
    ...cluster,
    model,
    /** Queries that the model was asked, in their order. */
    asked,
    api,
    newAgent,
    answer: (query: string, ...replies: Answers) => void answers.set(query, replies),
    /** @returns the path of a chat. */
    async newChat(agent = agentId): Promise<string> {
      const { data } = (await api(0).call('POST', `/agents/${agent}/chats`, {})).body
      return `/agents/${agent}/chats/${data.chat.id}`
    },
    async close() {
      await cluster.close()
      await model.close()
    },
  }
}

/** How many runs are at work in a process. */
export async function runsOf({ url }: { url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } })).text()
  return Number(/^docent_runs\{state="active"\} (\d+)$/m.exec(metrics)![1])
}

function clientOf(url: string) {
  const send = (method: string, path: string, body?: unknown, signal?: AbortSignal) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
  const read = async (...request: Parameters<typeof send>): Promise<EventReader> => {
    const connection = new AbortController()
    onTestFinished(() => connection.abort())
    const [method, path, body] = request
    return readEvents(withoutIds(await send(method, path, body, connection.signal)), connection)
  }
  return {
    async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
      const reply = await send(method, path, body)
      return { status: reply.status, body: await reply.json() }
    },
    /** Sends a query, and reads its stream. */
    stream: (path: string, fields: Record<string, unknown>) =>
      read('POST', `${path}/query`, { is_stream: true, ...fields }),
    /** Reads the stream of a message that was sent before. */
    follow: (path: string, messageId: string, after?: number) =>
      read('GET', `${path}/message/${messageId}/events${after === undefined ? '' : `?starting_after=${after}`}`),
  }
}

/** The same stream of events without the lines for EventSource, each of which must name its event. */
function withoutIds(response: Response): Response {
  let unread = ''
  const plain = new TransformStream<string, string>({
    transform(chunk, controller) {
      unread += chunk
      for (let end = unread.indexOf('\n\n'); end >= 0; end = unread.indexOf('\n\n')) {
        const frame = unread.slice(0, end + 2)
        unread = unread.slice(end + 2)
        const [, id, rest] = /^id: (\d+)\n(.*)$/s.exec(frame) ?? []
        if (id !== undefined) expect(rest).toContain(`"sequence_number":${id}}`)
        controller.enqueue(rest ?? frame)
      }
    },
  })
  const body = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(plain)
  return new Response(body.pipeThrough(new TextEncoderStream()), response)
}

/** Something to wait for, until it is let go. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { isOpen: promise, open: resolve }
}
