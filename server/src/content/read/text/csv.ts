import { Readable } from 'node:stream'
import type { ExtractContext, Extractor, SourceFile } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { createTableBuilder, type NumberedRow } from '../table-builder.ts'
import { detectEncoding } from './charset.ts'
import { detectDelimiter } from './delimiter.ts'
import { readText } from './read-text.ts'
import { readLines } from './text-lines.ts'

const MAX_RECORD_BYTES = 1024 * 1024

/**
 * Comma-, semicolon-, tab- or bar-separated values as a table. A file whose quotes do not close is read by its lines
 * from there on, so that nothing of it is lost.
 */
export const extractCsv: Extractor = async (file, context) => {
  const encoding = await detectEncoding(file)
  const sample = new TextDecoder(encoding).decode(file.head)
  const delimiter = detectDelimiter(sample)?.delimiter ?? ','
  const rows = readRows(file, encoding, delimiter, context)
  return { format: delimiter === '\t' ? 'tsv' : 'csv', blocks: rowBlocks(rows) }
}

async function* rowBlocks(source: AsyncIterable<NumberedRow>): AsyncGenerator<Block> {
  const table = createTableBuilder()
  for await (const row of source) yield* table.add(row)
  yield* table.finish()
}

async function* readRows(
  file: SourceFile,
  encoding: string,
  delimiter: string,
  context: ExtractContext,
): AsyncGenerator<NumberedRow> {
  const { parse } = await import('csv-parse')
  const source = Readable.from(skipSeparatorLine(readText(file, encoding, context)))
  const parser = parse({
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    info: true,
  })
  source.on('error', (error) => parser.destroy(error))
  let number = 0
  let lastLine = 0
  try {
    for await (const entry of source.pipe(parser)) {
      const { record, info } = entry as { record: string[]; info: { lines: number } }
      number++
      lastLine = info.lines
      if (record.some((cell) => cell.trim())) yield { number, cells: record }
    }
    return
  } catch (error) {
    if (!isCsvError(error)) throw error
  } finally {
    source.destroy()
  }
  context.note('A quotation mark in the table is never closed; from there on each line was read as a row.')
  for await (const lines of readLines(readText(file, encoding, context)))
    for (const line of lines) {
      if (line.number <= lastLine || !line.text.trim()) continue
      yield { number: ++number, cells: line.text.split(delimiter) }
    }
}

/** `sep=;` on the first line tells a spreadsheet the delimiter; it is no row. */
async function* skipSeparatorLine(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let first = true
  for await (const piece of pieces) {
    yield first ? piece.replace(/^sep=.(\r?\n)/i, '$1') : piece
    first = false
  }
}

function isCsvError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')
}
