import { readFile } from 'node:fs/promises'
import type { ExtractContext, Extraction, Extractor, SourceFile } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { detectBufferEncoding, detectEncoding } from './charset.ts'
import { flatten, jsonBlocks } from './json-blocks.ts'
import { textBlocks } from './text.ts'
import { readLines, readText } from './text-lines.ts'

const ROWS_PER_BLOCK = 100

/** JSON as `path: value` lines and tables; above the size limit, or where it is not valid, as lines of text. */
export const extractJson: Extractor = async (file, context) => {
  if (file.sizeBytes <= context.limits.jsonBytes) {
    const bytes = await readFile(file.path)
    try {
      const value: unknown = JSON.parse(new TextDecoder(await detectBufferEncoding(bytes)).decode(bytes))
      return { format: 'json', blocks: jsonBlocks(value) }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return asText(file, context)
}

/** JSON Lines: each line a record, with its number as the row. */
export const extractJsonLines: Extractor = async (file, context) => {
  const encoding = await detectEncoding(file)
  return { format: 'jsonl', blocks: recordBlocks(file, encoding, context) }
}

async function* recordBlocks(file: SourceFile, encoding: string, context: ExtractContext): AsyncGenerator<Block> {
  let rows: string[][] = []
  let first = 1
  let last = 0
  function* table(): Generator<Block> {
    if (rows.length > 0)
      yield {
        kind: 'table',
        header: [],
        rows,
        location: { row_start: first, row_end: last, line_start: first, line_end: last },
      }
    rows = []
  }
  for await (const lines of readLines(readText(file, encoding, context)))
    for (const line of lines) {
      if (!line.text.trim()) continue
      if (rows.length >= ROWS_PER_BLOCK || (rows.length > 0 && line.number !== last + 1)) yield* table()
      if (rows.length === 0) first = line.number
      last = line.number
      rows.push(recordFields(line.text))
    }
  yield* table()
}

function recordFields(line: string): string[] {
  try {
    return flatten(JSON.parse(line)).map(([path, value]) => (path ? `${path}: ${value}` : value))
  } catch {
    return [line]
  }
}

async function asText(file: SourceFile, context: ExtractContext): Promise<Extraction> {
  const encoding = await detectEncoding(file)
  return { format: 'json', blocks: textBlocks(readLines(readText(file, encoding, context))) }
}
