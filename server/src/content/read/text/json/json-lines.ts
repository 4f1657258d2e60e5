import type { ExtractContext, Extractor, SourceFile } from '../../extraction.ts'
import type { Block } from '../../parsed-document.ts'
import { detectEncoding } from '../charset.ts'
import { readText } from '../read-text.ts'
import { readLines } from '../text-lines.ts'
import { flatten } from './json-blocks.ts'

const ROWS_PER_BLOCK = 100

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
