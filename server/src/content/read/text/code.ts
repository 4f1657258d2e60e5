import type { Extractor } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { detectEncoding } from './charset.ts'
import { readText } from './read-text.ts'
import { type Line, readLines } from './text-lines.ts'

/** Source code is handed on in pieces of about this many lines, cut at an empty line where there is one. */
const MIN_LINES = 50
const MAX_LINES = 200

export const extractCode: Extractor = async (file, context) => {
  const encoding = await detectEncoding(file)
  return { format: 'code', blocks: codeBlocks(readLines(readText(file, encoding, context))) }
}

async function* codeBlocks(source: AsyncIterable<Line[]>): AsyncGenerator<Block> {
  let lines: Line[] = []
  for await (const group of source) {
    for (const line of group) {
      const blank = line.text.trim() === ''
      if ((lines.length >= MIN_LINES && blank) || lines.length >= MAX_LINES) {
        yield codeBlock(lines)
        lines = []
      }
      lines.push(line)
    }
  }
  if (lines.length > 0) yield codeBlock(lines)
}

function codeBlock(lines: Line[]): Block {
  const text = lines.map((line) => line.text).join('\n')
  return { kind: 'code', text, location: { line_start: lines[0]!.number, line_end: lines.at(-1)!.number } }
}
