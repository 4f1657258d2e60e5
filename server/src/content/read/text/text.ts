import type { Extractor } from '../extraction.ts'
import type { Block, Location } from '../parsed-document.ts'
import { detectEncoding } from './charset.ts'
import { readText } from './read-text.ts'
import { type Line, readLines } from './text-lines.ts'

/**
 * A paragraph without an empty line in it, such as a log, is handed on in parts: of this many lines or
 * characters, and up to twice as many until a sentence ends.
 */
const LONG_LINES = 40
const LONG_CHARS = 8_000
const sentenceEnd = /[.!?…]["'”’)]?$/
/** Lines up to this length may have been broken to fit a screen. */
const MAX_WRAPPED = 120
/** Beginning of a line that does not continue the one before: a list mark, or a label such as `Date:`. */
const ownLine = /^(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\p{L}[\p{L}\d ()/.-]{0,30}:)\s/u

export const extractText: Extractor = async (file, context) => {
  const encoding = await detectEncoding(file)
  return { format: 'text', blocks: textBlocks(readLines(readText(file, encoding, context))) }
}

/**
 * Paragraphs of plain text, ended by empty lines; a line that is underlined with `===` or `---` is a heading. Each
 * block knows its lines, and `location` is added to it.
 */
export async function* textBlocks(
  source: AsyncIterable<Line[]> | Iterable<Line[]>,
  location: Location = {},
): AsyncGenerator<Block> {
  let lines: Line[] = []
  let chars = 0

  function* paragraph(): Generator<Block> {
    if (lines.length === 0) return
    const at = { ...location, line_start: lines[0]!.number, line_end: lines.at(-1)!.number }
    yield { kind: 'paragraph', text: joinLines(lines.map((line) => line.text)), location: at }
    lines = []
    chars = 0
  }

  for await (const group of source) {
    for (const line of group) {
      const text = line.text.trim()
      if (!text) {
        yield* paragraph()
        continue
      }
      const level = lines.length === 1 ? underlineLevel(lines[0]!.text, text) : 0
      if (level > 0) {
        const at = { ...location, line_start: lines[0]!.number, line_end: line.number }
        yield { kind: 'heading', level, text: lines[0]!.text, location: at }
        lines = []
        chars = 0
        continue
      }
      lines.push({ text, number: line.number })
      chars += text.length
      const long = Math.max(lines.length / LONG_LINES, chars / LONG_CHARS)
      if (long >= 2 || (long >= 1 && sentenceEnd.test(text))) yield* paragraph()
    }
  }
  yield* paragraph()
}

/**
 * Lines of one paragraph as running text: a line that was broken for its length continues in the next with a space;
 * short lines, as in addresses, verses and lists, keep their ends.
 */
export function joinLines(lines: string[]): string {
  const longest = Math.max(...lines.map((line) => line.length))
  const wrapped = longest <= MAX_WRAPPED ? longest * 0.75 : Number.POSITIVE_INFINITY
  let text = lines[0] ?? ''
  for (let index = 1; index < lines.length; index++) {
    const goesOn = lines[index - 1]!.length >= wrapped && longest > 30 && !ownLine.test(lines[index]!)
    text += (goesOn ? ' ' : '\n') + lines[index]
  }
  return text
}

function underlineLevel(title: string, line: string): number {
  if (line.length < 3 || line.length < title.length / 2 || title.length > 100) return 0
  if (/^=+$/.test(line)) return 1
  return /^-+$/.test(line) ? 2 : 0
}
