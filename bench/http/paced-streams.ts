import { setTimeout as delay } from 'node:timers/promises'
import type { Chat } from './client/api.ts'
import { percentile } from './report/statistics.ts'
import type { Side } from './scenario.ts'
import { askFor } from './words.ts'

/** Roughly the pace at which models write. */
const EVERY_MS = 20
const RAMP_MS = 1_000

export interface PacedResult {
  firstTokenP50Ms: number
  /** Time from the model sending a token to its arrival at the client. */
  lagP50Ms: number
  lagP99Ms: number
  tokens: number
}

/** Streams side by side, each in a new chat, begun within a second, with a token each 20 ms for so many seconds. */
export async function streamPaced(side: Side, count: number, seconds: number): Promise<PacedResult> {
  const words = Math.round((seconds * 1000) / EVERY_MS)
  const chats = await side.api.createChats(side.agentId, count)
  await side.api.connect(count)
  const firsts: number[] = []
  const lags: number[] = []
  await Promise.all(
    chats.map(async (chat, index) => {
      await delay((index * RAMP_MS) / count)
      firsts.push(await streamOne(side, chat, words, lags))
    }),
  )
  return {
    firstTokenP50Ms: percentile(firsts, 0.5),
    lagP50Ms: percentile(lags, 0.5),
    lagP99Ms: percentile(lags, 0.99),
    tokens: lags.length,
  }
}

/** @returns how long the first token took. */
async function streamOne(side: Side, chat: Chat, words: number, lags: number[]): Promise<number> {
  const startedAt = performance.now()
  let firstMs = Number.NaN
  let heard = 0
  await side.api.stream(chat, askFor(words, EVERY_MS), (text) => {
    if (heard === 0) firstMs = performance.now() - startedAt
    const now = Number(process.hrtime.bigint() / 1000n)
    for (const sentAt of text.trimStart().split(' ')) {
      lags.push((now - Number(sentAt)) / 1000)
      heard++
    }
  })
  if (heard !== words) throw new Error(`${heard} tokens of ${words}`)
  return firstMs
}
