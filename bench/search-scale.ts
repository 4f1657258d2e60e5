import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Passage, SearchEngine } from '../server/src/search/engine.ts'
import { LanceEngine } from '../server/src/search/lance/lance-engine.ts'
import { createSyntheticText } from './search-scale/synthetic-text.ts'
import { peakMemoryMb, percentile, watchEventLoop } from './support/latencies.ts'

const SPACE = 'scale'
const PASSAGES_PER_DOCUMENT = 20
const DOCUMENTS_PER_GROUP = 50
const DOCUMENTS_AT_ONCE = 50
const QUESTIONS = 1_000
const LIMIT = 20

/**
 * `search-scale PASSAGES`: indexes that many synthetic passages in a temporary folder and prints how long searches
 * take: alone, within a group, eight at once, and while documents come in.
 */
export async function run(args: string[]): Promise<void> {
  const passages = Number(args[0] ?? 100_000)
  if (!Number.isSafeInteger(passages) || passages < 1_000) throw new Error('Name how many passages: 1000 or more')
  const uri = await mkdtemp(path.join(tmpdir(), 'docent-search-scale-'))
  const engine = new LanceEngine({
    uri,
    onBackgroundError: (error) => {
      throw error
    },
  })
  try {
    await measure(engine, passages)
  } finally {
    await engine.close()
    await rm(uri, { recursive: true, force: true })
  }
}

async function measure(engine: SearchEngine, count: number): Promise<void> {
  const text = createSyntheticText(1)
  const eventLoop = watchEventLoop()
  const groups: string[] = []

  function newDocument(): Passage[] {
    if (groups.length === 0 || text.random() < 1 / DOCUMENTS_PER_GROUP) groups.push(text.id())
    const [documentId, groupId] = [text.id(), groups.at(-1) as string]
    return Array.from({ length: PASSAGES_PER_DOCUMENT }, (_, ordinal) => ({
      id: text.id(),
      documentId,
      groupId,
      ordinal,
      heading: `Document ${documentId}`,
      text: text.passage(),
      location: JSON.stringify({ page: ordinal + 1 }),
    }))
  }

  async function search(groupIds?: string[]): Promise<number> {
    const from = performance.now()
    await engine.search(SPACE, { text: text.question(), groupIds, limit: LIMIT })
    return performance.now() - from
  }

  async function report(label: string, clients: number, ask: () => Promise<number>): Promise<void> {
    eventLoop.longestMs()
    const times: number[] = []
    const from = performance.now()
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (times.length < QUESTIONS) times.push(await ask())
      }),
    )
    const perSecond = times.length / ((performance.now() - from) / 1000)
    const figures = [
      `p50 ${percentile(times, 0.5).toFixed(1)} ms`,
      `p99 ${percentile(times, 0.99).toFixed(1)} ms`,
      `${perSecond.toFixed(0)}/s`,
      `event loop blocked at most ${eventLoop.longestMs().toFixed(0)} ms`,
      `memory ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB`,
    ]
    console.log(`${label.padEnd(36)}${figures.join(', ')}`)
  }

  const indexingFrom = performance.now()
  for (let done = 0; done < count; done += DOCUMENTS_AT_ONCE * PASSAGES_PER_DOCUMENT) {
    const adding: Promise<void>[] = []
    for (let index = 0; index < DOCUMENTS_AT_ONCE; index++) {
      adding.push(engine.add(SPACE, newDocument()))
      // Making them must not look like the engine's work.
      await nextTurn()
    }
    await Promise.all(adding)
  }
  await engine.maintain(SPACE)
  const indexingSeconds = (performance.now() - indexingFrom) / 1000
  console.log(
    `${count} passages of 150 words indexed in ${indexingSeconds.toFixed(1)} s (with making them), event loop blocked at most ${eventLoop.longestMs().toFixed(0)} ms`,
  )

  await report('searches, one after the other', 1, () => search())
  await report('the same, terms known', 1, () => search())
  await report('within one group', 1, () => search([groups[Math.floor(text.random() * groups.length)] as string]))
  const many = Array.from({ length: 3_000 }, text.id).concat(groups)
  await report(`within ${many.length} groups`, 1, () => search(many))
  await report('eight at once', 8, () => search())

  const writing = new AbortController()
  const writer = keepAdding(engine, newDocument, writing.signal)
  await report('while a document comes each 100 ms', 1, () => search())
  writing.abort()
  await writer
  console.log(`peak memory ${peakMemoryMb().toFixed(0)} MB`)
}

async function keepAdding(engine: SearchEngine, newDocument: () => Passage[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await engine.add(SPACE, newDocument())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
