import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Chunk } from './parsed-document.ts'
import { makeStoredParse, type ParseSummary, readChunks, StoredParseError } from './stored-parse.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'docent-stored-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function store(chunks: Chunk[]): Promise<string> {
  const file = path.join(folder, `${chunks.length}.jsonl`)
  const summary: ParseSummary = { format: 'text', chunkCount: chunks.length, words: 1, notes: [] }
  const all = (async function* () {
    yield* chunks
  })()
  const { text } = await makeStoredParse(file, all, () => summary)
  if (text !== undefined) await writeFile(file, text)
  return file
}

async function collect(source: string | AsyncIterable<Uint8Array>): Promise<Chunk[][]> {
  const batches: Chunk[][] = []
  for await (const batch of readChunks(source)) batches.push(batch)
  return batches
}

const chunk = (ordinal: number): Chunk => ({
  ordinal,
  text: `text ${ordinal} – ñ`,
  location: { page: ordinal + 1, heading_path: ['A'] },
})

test('chunks come back in order and in batches, from a path or from bytes cut anywhere', async () => {
  const chunks = Array.from({ length: 250 }, (_, index) => chunk(index))
  const file = await store(chunks)
  const batches = await collect(file)
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50])
  expect(batches.flat()).toEqual(chunks)
  const bytes = await readFile(file)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  expect((await collect(pieces())).flat()).toEqual(chunks)
})

test('a short parse makes no file, and a long one a file in a folder of its own', async () => {
  const file = path.join(folder, 'new', 'parse.jsonl')
  const make = (count: number) => {
    const long = Array.from({ length: count }, (_, index) => ({ ...chunk(index), text: 'x'.repeat(10_000) }))
    const summary: ParseSummary = { format: 'text', chunkCount: count, words: 1, notes: [] }
    return makeStoredParse(
      file,
      (async function* () {
        yield* long
      })(),
      () => summary,
    )
  }
  const short = await make(20)
  expect(existsSync(file)).toBe(false)
  async function* pieces() {
    yield Buffer.from(short.text!)
  }
  expect((await collect(pieces())).flat()).toHaveLength(20)
  expect(await make(300)).toEqual({ summary: { format: 'text', chunkCount: 300, words: 1, notes: [] } })
  expect((await collect(file)).flat()).toHaveLength(300)
})

test('a stored parse that lost its end, a chunk or its version is refused', async () => {
  const lines = (await readFile(await store([chunk(0), chunk(1), chunk(2)]), 'utf8')).split('\n')
  const from = (kept: string[]) =>
    (async function* () {
      yield Buffer.from(kept.join('\n'))
    })()
  await expect(collect(from([...lines.slice(0, 3), '']))).rejects.toThrow(StoredParseError)
  await expect(collect(from([lines[0]!, lines[1]!.slice(0, 10)]))).rejects.toThrow(/cut off/)
  await expect(collect(from([lines[0]!, lines[1]!, lines[3]!, lines[4]!, '']))).rejects.toThrow(/lost chunks/)
  await expect(collect(from(lines.slice(1)))).rejects.toThrow(/version/)
})

test('what cannot be stored everywhere is left out of the text', async () => {
  const file = await store([{ ordinal: 0, text: 'a\0b\ud800c', location: { sheet: 'x\0y' } }])
  expect((await collect(file)).flat()).toEqual([{ ordinal: 0, text: 'ab\ufffdc', location: { sheet: 'xy' } }])
  const none = (async function* (): AsyncGenerator<Chunk> {})()
  const title = ` two\0\nlines ${'x'.repeat(400)}`
  const { summary } = await makeStoredParse(file, none, () => ({
    format: 'text',
    title,
    chunkCount: 0,
    words: 0,
    notes: [],
  }))
  expect(summary.title).toMatch(/^two lines x{290}$/)
})
