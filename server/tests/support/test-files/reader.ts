import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import type { Chunk } from '../../../src/content/read/parsed-document.ts'
import { createParser, type ParserOptions } from '../../../src/content/read/parser/parse-file.ts'
import { type ParseSummary, readChunks } from '../../../src/content/read/stored-parse.ts'

export interface ReadDocument extends ParseSummary {
  chunks: Chunk[]
  /** All text, headings and table columns included as they would be indexed. */
  text: string
}

/** A parser in a temporary folder, for the tests of one file; both are gone after them. */
export function startTestReader({ cacheFolder, ...options }: Partial<ParserOptions> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-parse-'))
  const parser = createParser({ ...options, cacheFolder: cacheFolder ?? path.join(folder, 'cache') })
  let files = 0
  afterAll(async () => {
    await parser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function read(name: string, content: Buffer | string, signal?: AbortSignal): Promise<ReadDocument> {
    // The bytes lie without a telling name, as in the blob store.
    const file = path.join(folder, `upload-${++files}`)
    const outputPath = `${file}.jsonl`
    await writeFile(file, content)
    const { stored, isInFile: _, ...summary } = await parser.parse({ path: file, name, outputPath, signal })
    const chunks: Chunk[] = []
    for await (const batch of readChunks(stored())) chunks.push(...batch)
    return { ...summary, chunks, text: chunks.map((chunk) => chunk.text).join('\n') }
  }

  return { read, parser, folder }
}
