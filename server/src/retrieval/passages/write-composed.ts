import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Chunk } from '../../content/read/parsed-document.ts'
import { makeStoredParse, readChunks } from '../../content/read/stored-parse.ts'
import { composePassages, matchEdits } from './compose-passages.ts'
import type { PassageEdit } from './passage-edits.store.ts'

/** Writes a stored parse with changes by hand into a file. @param from file with the one as it was read */
export async function writeComposed(from: string, path: string, edits: readonly PassageEdit[]) {
  const matched = await matchEdits(readChunks(from), edits)
  let chunkCount = 0
  let words = 0
  async function* counted(): AsyncGenerator<Chunk> {
    for await (const chunk of composePassages(readChunks(from), edits, matched)) {
      chunkCount++
      words += chunk.text.split(/\s+/).length
      yield chunk
    }
  }
  const summarize = () => ({ format: 'passages', chunkCount, words, notes: [] })
  const { text } = await makeStoredParse(path, counted(), summarize)
  if (text !== undefined) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  return { matched, chunkCount }
}

export async function countChunks(batches: AsyncIterable<Chunk[]>): Promise<number> {
  let count = 0
  for await (const batch of batches) count += batch.length
  return count
}
