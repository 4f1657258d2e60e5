import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchEngine, SearchQuery } from '../../server/src/search/engine.ts'
import { peakMemoryMb, percentile, watchEventLoop } from '../support/latencies.ts'
import type { Documents } from './documents.ts'
import type { Floor } from './floor.ts'

export const SPACE = 'scale'
const DOCUMENTS_AT_ONCE = 50
const QUESTIONS = 1_000
const LIMIT = 20
const WARMING = 20
/** Files that lists of readers hide, or let through, for one filter of their ids. */
const MOST_LISTED = 5_000

const memoryMb = () => Math.round(process.memoryUsage.rss() / 2 ** 20)

/** Indexes all documents and prints how long that took. */
export async function measureIngest(engine: SearchEngine, documents: Documents): Promise<void> {
  const loop = watchEventLoop()
  const startedAt = performance.now()
  let passages = 0
  let makingMs = 0
  for (let done = 0; done < documents.count; done += DOCUMENTS_AT_ONCE) {
    const adding: Promise<void>[] = []
    for (let at = done; at < Math.min(documents.count, done + DOCUMENTS_AT_ONCE); at++) {
      const makingAt = performance.now()
      const document = documents.next()
      makingMs += performance.now() - makingAt
      passages += document.length
      adding.push(engine.add(SPACE, document, { areNew: true }))
      // Making them must not look like the engine's work.
      await nextTurn()
    }
    await Promise.all(adding)
  }
  await engine.maintain(SPACE)
  loop.stop()
  const took = (performance.now() - startedAt - makingMs) / 1000
  console.log(
    `${passages} passages of 150 words in ${documents.groups.length} groups: ${took.toFixed(1)} s, ${(passages / took).toFixed(0)} a second; event loop blocked at most ${loop.longestMs().toFixed(0)} ms; memory ${memoryMb()} MB, at most ${peakMemoryMb().toFixed(0)} MB`,
  )
}

/** Size of all files below a folder. */
export async function sizeMb(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((file) => stat(join(file.parentPath, file.name)))
  return Math.round((await Promise.all(files)).reduce((sum, { size }) => sum + size, 0) / 2 ** 20)
}

/** Prints a table of how long searches take. */
export async function measureSearches(engine: SearchEngine, floor: Floor, documents: Documents): Promise<void> {
  const question = () => documents.question()
  const search = (groupIds?: string[]) => engine.search(SPACE, { text: question(), groupIds, limit: LIMIT })
  console.log(`| ${QUESTIONS} searches | p50 ms | p99 ms | a second | event loop, ms | memory, MB |`)
  console.log('| --- | --- | --- | --- | --- | --- |')
  await reportTurns(engine, floor, question)
  await report('within one group', 1, () => search([documents.anyGroup()]))
  const third = documents.groups.slice(0, documents.groups.length / 3)
  const half = documents.groups.slice(0, documents.groups.length / 2)
  await report(`within ${third.length} groups`, 1, () => search(third))
  await report(`within ${half.length} groups`, 1, () => search(half))
  await report(`within ${documents.groups.length} groups`, 1, () => search(documents.groups))
  const listed = documents.made.slice(0, Math.min(MOST_LISTED, documents.made.length / 3))
  const narrowed = (filter: Pick<SearchQuery, 'groupIds' | 'documentIds' | 'exceptDocumentIds'>) =>
    engine.search(SPACE, { text: question(), limit: LIMIT, ...filter })
  await report(`within ${documents.groups.length} groups, without ${listed.length} documents`, 1, () =>
    narrowed({ groupIds: documents.groups, exceptDocumentIds: listed }),
  )
  await report(`within ${listed.length} documents`, 1, () => narrowed({ documentIds: listed }))
  await report('eight at once', 8, () => search())
  const writing = new AbortController()
  const writer = keepChanging(engine, documents, writing.signal)
  await report('while one document comes and one goes each 100 ms', 1, () => search())
  writing.abort()
  await writer
  console.log(`\nmemory at most ${peakMemoryMb().toFixed(0)} MB`)
}

/** Asks LanceDB alone and the engine each question, which of them first by turns. */
async function reportTurns(engine: SearchEngine, floor: Floor, question: () => string): Promise<void> {
  const asks = {
    'LanceDB alone': (text: string) => floor(text, LIMIT),
    'all passages': (text: string) => engine.search(SPACE, { text, limit: LIMIT }),
  }
  const names = Object.keys(asks) as (keyof typeof asks)[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]))
  const loop = watchEventLoop()
  for (let at = 0; at < QUESTIONS + WARMING; at++) {
    const text = question()
    for (const name of at % 2 ? names : names.toReversed()) {
      const startedAt = performance.now()
      await asks[name](text)
      if (at >= WARMING) times[name]!.push(performance.now() - startedAt)
    }
  }
  for (const name of names) printRow(name, times[name]!, 1, loop.longestMs())
  loop.stop()
}

async function report(label: string, clients: number, ask: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < WARMING; at++) await ask()
  const loop = watchEventLoop()
  const times: number[] = []
  let begun = 0
  const client = async () => {
    while (begun++ < QUESTIONS) {
      const askedAt = performance.now()
      await ask()
      times.push(performance.now() - askedAt)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  printRow(label, times, clients, loop.longestMs())
  loop.stop()
}

function printRow(label: string, times: number[], clients: number, loopMs: number): void {
  const perSecond = (1000 * clients * times.length) / times.reduce((sum, ms) => sum + ms, 0)
  const figures = [percentile(times, 0.5).toFixed(1), percentile(times, 0.99).toFixed(1), perSecond.toFixed(0)]
  console.log(`| ${[label, ...figures, loopMs.toFixed(0), memoryMb()].join(' | ')} |`)
}

async function keepChanging(engine: SearchEngine, documents: Documents, signal: AbortSignal): Promise<void> {
  const added: string[] = []
  while (!signal.aborted) {
    const document = documents.next()
    await engine.add(SPACE, document, { areNew: true })
    added.push(document[0]!.documentId)
    if (added.length > 10) await engine.remove(SPACE, [added.shift()!])
    await delay(100)
  }
}
