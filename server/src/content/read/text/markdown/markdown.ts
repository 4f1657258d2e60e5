import type { Extraction, Extractor } from '../../extraction.ts'
import type { Block } from '../../parsed-document.ts'
import { detectEncoding } from '../charset.ts'
import { readText } from '../read-text.ts'
import { type Line, readLines } from '../text-lines.ts'
import { fenceOf, plainInline } from './markdown-lines.ts'
import { isDelimiterRow, tableCells } from './markdown-tables.ts'

const MAX_PARAGRAPH_LINES = 100
const MAX_TABLE_ROWS = 200
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/
const atxHeading = /^ {0,3}(#{1,6})(?:\s+(.*))?$/

/** Markdown by its lines: headings, fenced code, tables, list items and paragraphs, in plain words without the marks. */
export const extractMarkdown: Extractor = async (file, context) => {
  const encoding = await detectEncoding(file)
  const extraction: Extraction = { format: 'markdown', blocks: [] }
  extraction.blocks = markdownBlocks(readLines(readText(file, encoding, context)), (title) => {
    extraction.title ??= title
  })
  return extraction
}

/** Blocks of Markdown by its lines; a heading of the first level is its title. */
export async function* markdownBlocks(
  source: AsyncIterable<Line[]>,
  onTitle: (title: string) => void,
): AsyncGenerator<Block> {
  const reader = new MarkdownReader(onTitle)
  for await (const lines of source) for (const line of lines) yield* reader.read(line)
  yield* reader.finish()
}

class MarkdownReader {
  readonly #onTitle: (title: string) => void
  #mode: 'start' | 'front' | 'text' | 'code' | 'table' = 'start'
  #lines: Line[] = []
  #fence = ''
  #header: string[] = []

  constructor(onTitle: (title: string) => void) {
    this.#onTitle = onTitle
  }

  *read(line: Line): Generator<Block> {
    if (this.#mode === 'start') {
      this.#mode = line.number === 1 && line.text.trimEnd() === '---' ? 'front' : 'text'
      if (this.#mode === 'front') return
    }
    if (this.#mode === 'front') {
      if (/^(?:---|\.\.\.)\s*$/.test(line.text)) return yield* this.#front()
      this.#lines.push(line)
      // No end within a page: it was a line across, and what follows is text.
      if (this.#lines.length > MAX_PARAGRAPH_LINES) yield* this.#front()
      return
    }
    if (this.#mode === 'code') {
      if (isClosing(line.text, this.#fence)) {
        yield* this.#code()
        this.#mode = 'text'
        return
      }
      this.#lines.push(line)
      if (this.#lines.length >= MAX_TABLE_ROWS) yield* this.#code()
      return
    }
    if (this.#mode === 'table') {
      if (line.text.includes('|')) {
        this.#lines.push(line)
        if (this.#lines.length >= MAX_TABLE_ROWS) yield* this.#table()
        return
      }
      yield* this.#table()
      this.#mode = 'text'
    }
    yield* this.#readText(line)
  }

  *finish(): Generator<Block> {
    if (this.#mode === 'code') yield* this.#code()
    else if (this.#mode === 'table') yield* this.#table()
    else if (this.#mode === 'front') yield* this.#front()
    else yield* this.#paragraph()
  }

  #take(): { taken: Line[]; location: { line_start: number; line_end: number } } {
    const taken = this.#lines
    this.#lines = []
    return { taken, location: { line_start: taken[0]!.number, line_end: taken.at(-1)!.number } }
  }

  *#paragraph(): Generator<Block> {
    if (this.#lines.length === 0) return
    const { taken, location } = this.#take()
    const text = taken
      .map((line, index) => {
        const trimmed = line.text.trim()
        const breaks = index + 1 < taken.length && (line.text.endsWith('  ') || line.text.endsWith('\\'))
        return plainInline(trimmed.replace(/^>[> ]*|\\$/g, '')) + (breaks ? '\n' : ' ')
      })
      .join('')
      .trim()
    if (text) yield { kind: 'paragraph', text, location }
  }

  *#code(): Generator<Block> {
    if (this.#lines.length === 0) return
    const { taken, location } = this.#take()
    yield { kind: 'code', text: taken.map((line) => line.text).join('\n'), location }
  }

  *#table(): Generator<Block> {
    if (this.#lines.length === 0) return
    const { taken, location } = this.#take()
    yield {
      kind: 'table',
      header: this.#header,
      rows: taken.map((line) => tableCells(line.text).map(plainInline)),
      location,
    }
  }

  *#heading(level: number, raw: string, number: number): Generator<Block> {
    const text = plainInline(withoutClosingMarks(raw))
    if (!text) return
    if (level === 1) this.#onTitle(text)
    yield { kind: 'heading', level, text, location: { line_start: number, line_end: number } }
  }

  *#front(): Generator<Block> {
    this.#mode = 'text'
    if (this.#lines.length === 0) return
    const { taken, location } = this.#take()
    const title = taken
      .find((line) => line.text.startsWith('title:'))
      ?.text.slice('title:'.length)
      .trim()
    if (title) this.#onTitle(title.replace(/^["']|["']$/g, ''))
    yield { kind: 'paragraph', text: taken.map((line) => line.text).join('\n'), location }
  }

  *#readText(line: Line): Generator<Block> {
    const text = line.text
    const opened = fenceOf(text)
    if (opened) {
      yield* this.#paragraph()
      this.#fence = opened
      this.#mode = 'code'
      return
    }
    const trimmed = text.trim()
    if (!trimmed) return yield* this.#paragraph()
    const atx = atxHeading.exec(text)
    if (atx) {
      yield* this.#paragraph()
      return yield* this.#heading(atx[1]!.length, atx[2] ?? '', line.number)
    }
    if (this.#lines.length === 1 && /^(?:=+|-{2,})$/.test(trimmed) && !listItem.test(this.#lines[0]!.text)) {
      const above = this.#lines[0]!
      this.#lines = []
      return yield* this.#heading(trimmed[0] === '=' ? 1 : 2, above.text, above.number)
    }
    if (/^(?:[-*_] ?){3,}$/.test(trimmed)) return yield* this.#paragraph()
    const above = this.#lines.at(-1)
    if (above?.text.includes('|') && isDelimiterRow(trimmed)) {
      this.#lines.pop()
      yield* this.#paragraph()
      this.#header = tableCells(above.text).map(plainInline)
      this.#mode = 'table'
      return
    }
    if (listItem.test(text) || this.#lines.length >= MAX_PARAGRAPH_LINES) yield* this.#paragraph()
    this.#lines.push(line)
  }
}

function isClosing(text: string, fence: string): boolean {
  const trimmed = text.trim()
  return trimmed.length >= fence.length && trimmed === fence[0]!.repeat(trimmed.length)
}

/** `## Title ##` may close with the marks it opened with. */
function withoutClosingMarks(title: string): string {
  let end = title.trimEnd().length
  const text = title.slice(0, end)
  while (end > 0 && text[end - 1] === '#') end--
  return end === text.length || (end > 0 && text[end - 1] !== ' ') ? text : text.slice(0, end).trimEnd()
}
