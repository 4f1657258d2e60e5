import type { ContentTable, TableCell } from 'pdfmake/interfaces.js'
import { type Block, plainText, type Run } from '../written-document.ts'
import { directionOf } from './bidi/direction.ts'
import { AFTER, LINE, type PdfRoom, SHADE } from './pdf-look.ts'
import { pdfText } from './pdf-text.ts'

/** Points that a character takes on average, of the font's size. */
const CHARACTER = 0.56
const PADDING = 6
/** Cells like `14,99 €` stay in one line where there is room. */
const MOST_UNWRAPPED = 16
/** Rows go whole to the next page unless one is so high that it might not fit on any. */
const MOST_LINES_IN_CELL = 8

type Table = Extract<Block, { kind: 'table' }>

/**
 * A table as wide as what is in it, at most as wide as the page; its header comes again on each page. From right to left
 * its columns are turned round, and an empty one before them takes the room that is left.
 */
export function pdfTable({ align, rows }: Table, { width, missing, direction = 'ltr' }: PdfRoom): ContentTable {
  const isRightToLeft = direction === 'rtl'
  const columns = align.length
  const fontSize = columns <= 5 ? 9.5 : columns <= 8 ? 8.5 : columns <= 12 ? 7 : 5.5
  const room = (width - columns * 2 * PADDING) / (fontSize * CHARACTER)
  const words = align.map((_, column) => longest(rows, column, /\s+/))
  const cells = align.map((_, column) => longest(rows, column, /\n/))
  const unwrapped = cells.map((length) => length <= MOST_UNWRAPPED)
  const canKeep = sum(cells.map((length, column) => (unwrapped[column] ? length : words[column]!))) <= room
  // Words are cut where they would not fit side by side, and only then.
  const mostCharacters = sum(words) > room ? Math.max(2, Math.floor(room / columns)) : Number.POSITIVE_INFINITY

  const areLow = Math.max(...align.map((_, column) => longest(rows, column))) < (MOST_LINES_IN_CELL * room) / columns

  const cell = (runs: Run[], column: number, isHeader: boolean): TableCell => ({
    text: pdfText(isHeader ? runs.map((run) => ({ ...run, bold: true })) : runs, missing, {
      mostCharacters,
      direction: directionOf(plainText(runs)) ?? direction,
    }),
    alignment: isRightToLeft && align[column] === 'left' ? 'right' : align[column],
    noWrap: canKeep && unwrapped[column] && !plainText(runs).includes('\n'),
  })
  const body = rows.map((row, index) => {
    const made = row.map((runs, column) => cell(runs, column, index === 0))
    return isRightToLeft ? [emptyCell(), ...made.reverse()] : made
  })
  return {
    table: {
      headerRows: 1,
      keepWithHeaderRows: areLow ? 1 : 0,
      dontBreakRows: areLow,
      widths: [...(isRightToLeft ? ['*'] : []), ...align.map(() => 'auto')],
      body,
    },
    layout: {
      fillColor: (row, _, column) => (row === 0 && !(isRightToLeft && column === 0) ? SHADE : null),
      hLineWidth: (index) => (index === 1 ? 1 : 0.5),
      hLineColor: () => LINE,
      vLineWidth: () => 0,
      paddingLeft: (column) => (isRightToLeft && column === 0 ? 0 : PADDING),
      paddingRight: (column) => (isRightToLeft && column === 0 ? 0 : PADDING),
      paddingTop: () => 4,
      paddingBottom: () => 2,
    },
    fontSize,
    margin: [0, 2, 0, AFTER + 3],
  }
}

const emptyCell = (): TableCell => ({ text: '', border: [false, false, false, false] })

/** Characters of the longest part between separators, in one column. */
function longest(rows: Run[][][], column: number, separator = /(?!)/): number {
  let most = 1
  for (const row of rows) {
    for (const part of plainText(row[column]!).split(separator)) most = Math.max(most, part.length)
  }
  return most
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
