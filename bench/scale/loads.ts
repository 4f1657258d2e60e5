import type { Api, Chat } from '../http/client/api.ts'
import { FILES, ingestFiles } from '../http/ingest-files.ts'
import { closedLoop } from '../http/load.ts'
import { usageOf } from '../http/process-usage.ts'
import { askFor, wordsOf } from '../http/words.ts'
import { adminOf, type Counted, counted } from './database.ts'
import type { Ground, Installation } from './installation.ts'

/** Number of words: about a thousand characters, a page of text on a phone. */
const WORDS = 250
export const QUERY = `${'Please tell me what our contract with the supplier says of that. '.repeat(2)}${askFor(WORDS)}`
const ANSWER = wordsOf(WORDS)
/** How many queries people have in a chat before they begin another. */
export const QUERIES_PER_CHAT = 4
export const CLIENTS = 16
const PAGE = 50

/** CPU of everybody who takes part, in ms for each thing done. */
export interface Cost {
  server: number
  postgres: number
  s3: number
  model: number
  bench: number
}

export interface Load {
  perSecond: number
  p50Ms: number
  p99Ms: number
  cost: Cost
  /** Counts of the database for each thing done; undefined for the embedded one. */
  counted: Counted | undefined
}

/** Asks in chats of a few queries each; new chats are made between, which counts as part of their queries. */
export function createConversation(api: Api, agentId: string): () => Promise<{ ms: number }> {
  let chat: Chat | undefined
  let asked = 0
  return async () => {
    if (!chat || asked === QUERIES_PER_CHAT) {
      chat = (await api.createChats(agentId, 1))[0]!
      asked = 0
    }
    asked++
    const { text, ms } = await api.ask(chat, QUERY)
    if (text !== ANSWER) throw new Error(`not the answer: ${text.slice(0, 200)}`)
    return { ms }
  }
}

export function queryLoad(ground: Ground, installation: Installation, agentId: string, seconds: number): Promise<Load> {
  const clients = Array.from({ length: CLIENTS }, () => createConversation(installation.api, agentId))
  return loop(ground, installation, seconds, (client) => clients[client]!())
}

/** Pages of chats as people have them. */
export async function historyLoad(
  ground: Ground,
  installation: Installation,
  agentId: string,
  seconds: number,
): Promise<Load> {
  const { api } = installation
  const chats = await api.createChats(agentId, CLIENTS)
  await Promise.all(
    chats.map(async (chat) => {
      for (let sent = 0; sent < QUERIES_PER_CHAT; sent++) await api.ask(chat, QUERY)
    }),
  )
  return loop(ground, installation, seconds, async (client) => {
    const { count, ms } = await api.history(chats[client]!, 1, PAGE)
    if (count !== QUERIES_PER_CHAT) throw new Error(`${count} messages`)
    return { ms }
  })
}

/** Texts of 20 KB, uploaded eight at a time, until all are found. */
export async function ingestLoad(ground: Ground, installation: Installation): Promise<Load> {
  const before = await usedSoFar(ground, installation)
  const startedAt = performance.now()
  const requireFound = await ingestFiles({
    name: 'docent',
    server: installation.processes[0]!,
    api: installation.api,
    agentId: '',
    chats: [],
  })
  const perSecond = FILES / ((performance.now() - startedAt) / 1000)
  const used = each(before, await usedSoFar(ground, installation), FILES)
  await requireFound()
  return { perSecond, p50Ms: Number.NaN, p99Ms: Number.NaN, ...used }
}

async function loop(
  ground: Ground,
  installation: Installation,
  seconds: number,
  request: (client: number) => Promise<{ ms: number }>,
): Promise<Load> {
  let done = 0
  const before = await usedSoFar(ground, installation)
  const { perSecond, p50Ms, p99Ms } = await closedLoop(
    { clients: CLIENTS, seconds, pid: process.pid },
    async (client) => {
      const response = await request(client)
      done++
      return response
    },
  )
  return { perSecond, p50Ms, p99Ms, ...each(before, await usedSoFar(ground, installation), done) }
}

const cpuOf = ({ postgres, s3, model }: Ground, { processes }: Installation): Cost => ({
  server: processes.reduce((sum, { pid }) => sum + usageOf(pid).cpuMs, 0),
  postgres: usageOf(postgres.pid).cpuMs,
  s3: usageOf(s3.server.pid).cpuMs,
  model: usageOf(model.pid).cpuMs,
  bench: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
})

async function usedSoFar(ground: Ground, installation: Installation): Promise<Pick<Load, 'cost' | 'counted'>> {
  const { databaseUrl } = installation
  const inDatabase = databaseUrl ? await counted(adminOf(ground.postgres.adminUrl, databaseUrl)) : undefined
  return { cost: cpuOf(ground, installation), counted: inDatabase }
}

function each(before: Pick<Load, 'cost' | 'counted'>, after: Pick<Load, 'cost' | 'counted'>, done: number) {
  const share = <T extends object>(from: T, to: T): T =>
    Object.fromEntries(
      Object.entries(from).map(([name, value]) => [name, (Number(to[name as keyof T]) - value) / done]),
    ) as T
  return {
    cost: share(before.cost, after.cost),
    counted: before.counted && after.counted && share(before.counted, after.counted),
  }
}
