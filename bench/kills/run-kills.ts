import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Children } from '../http/children.ts'
import { startFleet } from './fleet.ts'
import { queryOf, startOutside } from './outside.ts'
import { type KilledServer, startKilled } from './server.ts'
import { type Accepted, judge, type Verdict } from './verdict.ts'

const KEY = 'the-owner-key-of-the-bench'
/** Patience after the last arrival: what has not come by then is lost. */
const PATIENCE_MS = 60_000

export interface KillsOptions {
  children: Children
  /** Empty; the data of the processes and their working folder. */
  dataDir: string
  /** Number of processes; more than one need `DATABASE_URL`. */
  processes?: number
  queries: number
  kills: number
  chats: number
  /** Settings of the server besides those that the bench needs: `DATABASE_URL` for PostgreSQL. */
  settings?: Record<string, string>
}

export interface KillsResult extends Verdict {
  /** Queries that a kill cut off before they were accepted, and that were sent again under their id. */
  sentAgain: number
  /** Messages that are not completed at the end, or are at another place than they were accepted in. */
  misplaced: number
}

/**
 * Sends asynchronous queries to a server that is killed again and again, and then counts from outside what became of
 * them. Each chat sends one query after the other, and the first ones as soon as the server is ready again. Of several
 * processes a kill takes each in its turn, and every third kill all of them at once.
 */
export async function runKills({
  children,
  dataDir,
  processes = 1,
  queries,
  kills,
  chats,
  settings,
}: KillsOptions): Promise<KillsResult> {
  const outside = await startOutside()
  const start = () =>
    startKilled(children, dataDir, {
      DATA_DIR: dataDir,
      DOCENT_OWNER_KEY: KEY,
      DOCENT_RATE_LIMIT: '0',
      DOCENT_RATE_BURST: '0',
      DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
      OPENAI_COMPATIBLE_BASE_URL: `${outside.modelUrl}/v1`,
      DOCENT_MODEL: 'openai-compatible/scripted',
      ...settings,
    })
  const fleet = await startFleet(processes, start)
  const accepted: Accepted[] = []
  let sentAgain = 0
  let sent = 0

  const agent = (await call(await fleet.next(), 'POST', '/agents', { name: 'Killed' })).body.data.id
  const chatIds: string[] = []
  for (let chat = 0; chat < chats; chat++)
    chatIds.push((await call(await fleet.next(), 'POST', `/agents/${agent}/chats`, {})).body.data.chat.id)

  async function sendIn(chat: number): Promise<void> {
    for (let number = 0; sent < queries; number++) {
      sent++
      const message_id = randomBytes(12).toString('hex')
      const body = { query: queryOf(chat, number), webhook_url: outside.receiverUrl, message_id }
      for (;;) {
        const server = await fleet.next()
        const reply = await call(server, 'POST', `/agents/${agent}/chats/${chatIds[chat]}/async_query`, body).catch(
          () => undefined,
        )
        if (reply?.status === 200) accepted.push({ messageId: message_id, chat, number })
        else if (!reply) sentAgain++
        else if (reply.status !== 429 && reply.status !== 503) throw new Error(JSON.stringify(reply))
        if (reply?.status === 200) break
        if (reply) await delay(50)
      }
      // The next server gets these requests as soon as it listens, even if this one was killed a while ago.
      await delay(Math.random() * 60)
    }
  }

  async function killAll(): Promise<void> {
    for (let kill = 1; kill <= kills; kill++) {
      const due = (queries * kill) / (kills + 1)
      while (sent < due) await delay(10)
      // Somewhere in the middle of what it does, not at the moment when it has just begun.
      await delay(Math.random() * 300)
      const indexes = Array.from({ length: processes }, (_, index) => index)
      await fleet.kill(kill % 3 === 0 ? indexes : [kill % processes])
    }
  }

  try {
    await Promise.all([killAll(), ...chatIds.map((_, chat) => sendIn(chat))])
    await untilQuiet()
    for (const { messageId, error } of outside.deliveries) if (error) console.error(`${messageId} failed: ${error}`)
    const misplaced = await countMisplaced(await fleet.next())
    return { ...judge(accepted, outside.calls, outside.deliveries), sentAgain, misplaced }
  } finally {
    await fleet.end()
    outside.close()
  }

  async function untilQuiet(): Promise<void> {
    const awaited = new Set(accepted.map(({ messageId }) => messageId))
    let known = 0
    for (let since = performance.now(); awaited.size > 0 && performance.now() - since < PATIENCE_MS; await delay(100)) {
      for (const { messageId } of outside.deliveries.slice(known)) awaited.delete(messageId)
      if (outside.deliveries.length > known) since = performance.now()
      known = outside.deliveries.length
    }
  }

  async function countMisplaced(current: KilledServer): Promise<number> {
    let misplaced = 0
    for (const [chat, chatId] of chatIds.entries()) {
      const expected = accepted.filter((one) => one.chat === chat).map(({ messageId }) => messageId)
      const path = `/agents/${agent}/chats/${chatId}/messages?page_size=100&order=asc`
      const listed: { id: string; ai_resolution_status: string }[] = []
      for (let page = 1; ; page++) {
        const { messages } = (await call(current, 'GET', `${path}&page=${page}`)).body.data
        listed.push(...messages)
        if (messages.length < 100) break
      }
      const known = new Set(expected)
      const found = listed.filter(({ id, ai_resolution_status: status }) => known.has(id) && status === 'completed')
      misplaced += expected.filter((id, index) => found[index]?.id !== id).length
    }
    return misplaced
  }
}

async function call({ url }: KilledServer, method: string, path: string, body?: unknown) {
  const headers = { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const reply = await fetch(`${url}/v1${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: of whatever it was asked
  return { status: reply.status, body: (await reply.json()) as any }
}
