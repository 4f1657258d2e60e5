import type { Extraction, Extractor } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { detectEncoding } from './charset.ts'
import { fenceOf, isDelimiterRow, plainInline, tableCells } from './markdown-lines.ts'
import { type Line, readLines, readText } from './text-lines.ts'

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

async function* markdownBlocks(source: AsyncIterable<Line[]>, onTitle: (title: string) => void): AsyncGenerator<Block> {
  const reader = createReader(onTitle)
  for await (const lines of source) for (const line of lines) yield* reader.read(line)
  yield* reader.finish()
}

function createReader(onTitle: (title: string) => void) {
  let mode: 'start' | 'front' | 'text' | 'code' | 'table' = 'start'
  let lines: Line[] = []
  let fence = ''
  let header: string[] = []

  const take = (): { taken: Line[]; location: { line_start: number; line_end: number } } => {
    const taken = lines
    lines = []
    return { taken, location: { line_start: taken[0]!.number, line_end: taken.at(-1)!.number } }
  }

  function* paragraph(): Generator<Block> {
    if (lines.length === 0) return
    const { taken, location } = take()
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

  function* code(): Generator<Block> {
    if (lines.length === 0) return
    const { taken, location } = take()
    yield { kind: 'code', text: taken.map((line) => line.text).join('\n'), location }
  }

  function* table(): Generator<Block> {
    if (lines.length === 0) return
    const { taken, location } = take()
    yield { kind: 'table', header, rows: taken.map((line) => tableCells(line.text).map(plainInline)), location }
  }

  function* heading(level: number, raw: string, number: number): Generator<Block> {
    const text = plainInline(withoutClosingMarks(raw))
    if (!text) return
    if (level === 1) onTitle(text)
    yield { kind: 'heading', level, text, location: { line_start: number, line_end: number } }
  }

  function* front(): Generator<Block> {
    mode = 'text'
    if (lines.length === 0) return
    const { taken, location } = take()
    const title = taken
      .find((line) => line.text.startsWith('title:'))
      ?.text.slice('title:'.length)
      .trim()
    if (title) onTitle(title.replace(/^["']|["']$/g, ''))
    yield { kind: 'paragraph', text: taken.map((line) => line.text).join('\n'), location }
  }

  function* readText(line: Line): Generator<Block> {
    const text = line.text
    const opened = fenceOf(text)
    if (opened) {
      yield* paragraph()
      fence = opened
      mode = 'code'
      return
    }
    const trimmed = text.trim()
    if (!trimmed) return yield* paragraph()
    const atx = atxHeading.exec(text)
    if (atx) {
      yield* paragraph()
      return yield* heading(atx[1]!.length, atx[2] ?? '', line.number)
    }
    if (lines.length === 1 && /^(?:=+|-{2,})$/.test(trimmed) && !listItem.test(lines[0]!.text)) {
      const above = lines[0]!
      lines = []
      return yield* heading(trimmed[0] === '=' ? 1 : 2, above.text, above.number)
    }
    if (/^(?:[-*_] ?){3,}$/.test(trimmed)) return yield* paragraph()
    const above = lines.at(-1)
    if (above?.text.includes('|') && isDelimiterRow(trimmed)) {
      lines.pop()
      yield* paragraph()
      header = tableCells(above.text).map(plainInline)
      mode = 'table'
      return
    }
    if (listItem.test(text) || lines.length >= MAX_PARAGRAPH_LINES) yield* paragraph()
    lines.push(line)
  }

  function* read(line: Line): Generator<Block> {
    if (mode === 'start') {
      mode = line.number === 1 && line.text.trimEnd() === '---' ? 'front' : 'text'
      if (mode === 'front') return
    }
    if (mode === 'front') {
      if (/^(?:---|\.\.\.)\s*$/.test(line.text)) return yield* front()
      lines.push(line)
      // No end within a page: it was a line across, and what follows is text.
      if (lines.length > MAX_PARAGRAPH_LINES) yield* front()
      return
    }
    if (mode === 'code') {
      if (isClosing(line.text, fence)) {
        yield* code()
        mode = 'text'
        return
      }
      lines.push(line)
      if (lines.length >= MAX_TABLE_ROWS) yield* code()
      return
    }
    if (mode === 'table') {
      if (line.text.includes('|')) {
        lines.push(line)
        if (lines.length >= MAX_TABLE_ROWS) yield* table()
        return
      }
      yield* table()
      mode = 'text'
    }
    yield* readText(line)
  }

  function* finish(): Generator<Block> {
    if (mode === 'code') yield* code()
    else if (mode === 'table') yield* table()
    else if (mode === 'front') yield* front()
    else yield* paragraph()
  }

  return { read, finish }
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
