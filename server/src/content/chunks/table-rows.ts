import type { Block, Location } from '../read/parsed-document.ts'
import { countWords, cutAtWords } from './count-words.ts'
import { sentences } from './sentences.ts'

type Table = Extract<Block, { kind: 'table' }>

const MAX_ROWS = 10
/** A first cell up to this long is repeated on each piece of a row that has to be cut: it mostly names the row. */
const MAX_LABEL_WORDS = 10

/** Rows of a table as text, `column: value | column: value`, one a line, at most 10 rows and the given words together. */
export function* packTable(table: Table, maxWords: number): Generator<{ text: string; location: Location }> {
  let lines: string[] = []
  let words = 0
  let first = 0

  const rowLocation = (from: number, to: number): Location => {
    const start = table.location.row_start
    return start === undefined ? table.location : { ...table.location, row_start: start + from, row_end: start + to }
  }
  const rows = table.rows.length > 0 ? table.rows : [table.header]
  const header = table.rows.length > 0 ? table.header.map(cellText) : []

  for (const [index, cells] of rows.entries()) {
    const line = rowText(header, cells)
    if (!line) continue
    const lineWords = countWords(line)
    if (lines.length > 0 && (lines.length === MAX_ROWS || words + lineWords > maxWords)) {
      yield { text: lines.join('\n'), location: rowLocation(first, index - 1) }
      lines = []
      words = 0
    }
    if (lineWords > maxWords) {
      for (const text of cutRow(header, cells, maxWords)) yield { text, location: rowLocation(index, index) }
      continue
    }
    if (lines.length === 0) first = index
    lines.push(line)
    words += lineWords
  }
  if (lines.length > 0) yield { text: lines.join('\n'), location: rowLocation(first, rows.length - 1) }
}

function rowText(header: string[], cells: string[]): string {
  return fields(header, cells).join(' | ')
}

function fields(header: string[], cells: string[]): string[] {
  const filled: string[] = []
  for (const [column, cell] of cells.entries()) {
    const value = cellText(cell)
    if (value) filled.push(header[column] ? `${header[column]}: ${value}` : value)
  }
  return filled
}

/** A row that is longer than a chunk: cut between its cells, and within a cell between sentences. */
function* cutRow(header: string[], cells: string[], maxWords: number): Generator<string> {
  const [label = '', ...rest] = fields(header, cells)
  const labelWords = countWords(label)
  const repeated = labelWords <= MAX_LABEL_WORDS ? `${label} | ` : ''
  const pieces = repeated ? rest : [label, ...rest]
  const room = maxWords - (repeated ? labelWords : 0)
  let text = ''
  let words = 0
  for (const piece of pieces.flatMap((field) => cutField(field, room))) {
    const pieceWords = countWords(piece)
    if (text && words + pieceWords > room) {
      yield repeated + text.trimEnd()
      text = ''
      words = 0
    }
    text += text ? ` ${piece}` : piece
    words += pieceWords
  }
  if (text) yield repeated + text.trimEnd()
}

function cutField(field: string, maxWords: number): string[] {
  if (countWords(field) <= maxWords) return [field]
  return [...sentences(field)].flatMap((sentence) => [...cutAtWords(sentence, maxWords)]).map((piece) => piece.trim())
}

function cellText(cell: string): string {
  return cell.replace(/\s+/g, ' ').trim()
}
