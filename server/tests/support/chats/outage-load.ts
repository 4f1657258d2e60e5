import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { startReceiver } from '../http/receiver.ts'
import { answer, type Script, settingsOf, startModelServer } from '../models/model-server.ts'
import { KEY } from '../processes/restartable.ts'

/** Most questions of a chat that are accepted and not delivered: a few wait behind the one that is answered. */
const MOST_OPEN = 3
const THINKS_MS = 1_500

/** A question that was accepted: it must be answered and delivered. */
interface Accepted {
  chat: number
  number: number
  messageId: string
}

/** Words of a server that did not accept a question. */
export interface Refusal {
  status: number
  retryAfter: string | null
  tookMs: number
  text: string
}

export interface Delivered {
  status: string
  response: string
  error: string | null
}

const words = (chat: number, number: number) => `chat ${chat} question ${number}`

/** A model that thinks for a moment about `chat N question M`, makes a file for every fourth, and repeats the question. */
export async function startThinkingModel() {
  const asked = new Map<number, number[]>()
  const script: Script = async ({ body }) => {
    const last = body.messages.at(-1)
    const question = body.messages.findLast(({ role }: any) => role === 'user').content as string
    const [chat, number] = (/^chat (\d+) question (\d+)$/.exec(question) ?? []).slice(1).map(Number)
    if (chat === undefined) return answer({ waitMs: THINKS_MS }, `Answer to ${question}`)
    const isFirst = last.role === 'user'
    if (isFirst) asked.set(chat, [...(asked.get(chat) ?? []), number!])
    if (isFirst && number! % 4 === 0)
      return answer(
        { waitMs: THINKS_MS / 2 },
        {
          toolCall: { name: 'create_file', arguments: { name: `${chat}-${number}.md`, content: `# ${question}` } },
        },
      )
    return answer({ waitMs: THINKS_MS }, `Answer to `, question)
  }
  const model = await startModelServer({ script, record: false })
  return {
    settings: { DOCENT_OWNER_KEY: KEY, DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8', ...settingsOf(model.openaiUrl) },
    /** Questions of each chat in the order in which the model heard of them first. */
    orders: () => [...asked.values()].map((numbers) => [...new Set(numbers)]),
    close: model.close,
  }
}

/** Asks in many chats at once, one question after the other in each, until it is stopped. */
export async function startLoad({ url, chats }: { url: string; chats: number }) {
  const receiver = await startReceiver()
  const accepted: Accepted[] = []
  const refusals: Refusal[] = []
  let isStopped = false

  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const reply = await send(method, path, body)
    return { status: reply.status, body: await reply.json() }
  }
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
  const agent = (await call('POST', '/agents', { name: 'Guide', tools: ['create_file'] })).body.data.id
  const newChat = async (): Promise<string> => {
    const { data } = (await call('POST', `/agents/${agent}/chats`, {})).body
    return `/agents/${agent}/chats/${data.chat.id}`
  }
  const delivered = () => {
    const results = new Map<string, Delivered[]>()
    for (const { body } of receiver.received) {
      const { status, error_message: error, data } = JSON.parse(body)
      results.set(data.id, [...(results.get(data.id) ?? []), { status, response: data.response, error }])
    }
    return results
  }

  async function ask(chat: number, path: string): Promise<void> {
    for (let number = 1; !isStopped; number++) {
      const message = { chat, number, messageId: randomBytes(12).toString('hex') }
      const query = { query: words(chat, number), message_id: message.messageId, webhook_url: receiver.url }
      // Asks the same question until it is accepted: one whose commit nobody confirmed is stored once.
      while (!(await isAccepted(`${path}/async_query`, query))) await delay(200)
      accepted.push(message)
      open[chat]!.add(message.messageId)
      while (!isStopped && openOf(chat) >= MOST_OPEN) await delay(50)
      await delay(100 * Math.random())
    }
  }

  async function isAccepted(path: string, query: object): Promise<boolean> {
    const askedAt = performance.now()
    const reply = await send('POST', path, query).catch((error: Error) => error)
    const tookMs = Math.round(performance.now() - askedAt)
    if (reply instanceof Error) {
      refusals.push({ status: 0, retryAfter: null, tookMs, text: String(reply.cause ?? reply) })
      return false
    }
    const text = await reply.text()
    if (reply.status === 200) return true
    refusals.push({ status: reply.status, retryAfter: reply.headers.get('retry-after'), tookMs, text })
    return false
  }

  let seen = 0
  const arrived = new Set<string>()
  /** Accepted questions of each chat; those that were delivered go when they are next looked at. */
  const open = Array.from({ length: chats }, () => new Set<string>())
  function openOf(chat: number): number {
    for (; seen < receiver.received.length; seen++) arrived.add(JSON.parse(receiver.received[seen]!.body).data.id)
    for (const id of open[chat]!) if (arrived.has(id)) open[chat]!.delete(id)
    return open[chat]!.size
  }

  const paths = await Promise.all(Array.from({ length: chats }, newChat))
  const asking = Promise.all(paths.map((path, chat) => ask(chat, path)))
  return {
    accepted,
    refusals,
    delivered,
    send,
    newChat,
    /** Takes every delivery. */
    webhookUrl: receiver.url,
    /** @returns when no question is on its way any more. */
    async stop() {
      isStopped = true
      await asking
    },
    /** Questions that were accepted and not delivered. */
    missing: () => {
      const results = delivered()
      return accepted.filter(({ messageId }) => !results.has(messageId))
    },
    /** Questions whose delivery is not the answer. */
    failed: () => {
      const results = delivered()
      return accepted.flatMap((one) =>
        (results.get(one.messageId) ?? [])
          .filter(
            ({ status, response }) =>
              status !== 'success' || !response.includes(`Answer to ${words(one.chat, one.number)}`),
          )
          .map((result) => ({ ...one, ...result })),
      )
    },
  }
}
