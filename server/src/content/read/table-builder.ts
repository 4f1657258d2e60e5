import type { Block, Location } from './parsed-document.ts'
import { findHeader, isHeader } from './table-header.ts'

/** A row that holds something, with its number as a spreadsheet shows it: from 1, empty rows counted. */
export interface NumberedRow {
  number: number
  cells: string[]
}

const ROWS_PER_BLOCK = 200

/**
 * Makes blocks of the rows of a sheet or a delimited file, as they come. The first rows show the column names, which
 * every block repeats; after an empty row a new table with its own names may begin. `location` is added to each block.
 */
export function createTableBuilder(location: Location = {}) {
  let rows: NumberedRow[] = []
  let header: string[] | undefined

  function rowLocation(from: NumberedRow, to: NumberedRow): Location {
    return { ...location, row_start: from.number, row_end: to.number }
  }

  function* begin(): Generator<Block> {
    const found = findHeader(rows.map((row) => row.cells))
    const { titles, dataStart } = found
    for (const [index, text] of titles.entries())
      yield { kind: 'heading', level: index + 1, text, location: rowLocation(rows[index]!, rows[index]!) }
    // Column names without a row below them are all the text there is.
    const namesOnly = dataStart === rows.length
    header = namesOnly ? [] : found.header
    rows = rows.slice(namesOnly ? titles.length : dataStart)
  }

  function* emit(): Generator<Block> {
    if (rows.length === 0) return
    if (!header) yield* begin()
    let start = 0
    for (let index = 1; index <= rows.length; index++) {
      const row = rows[index]
      const previous = rows[index - 1]!
      if (row && row.number === previous.number + 1) continue
      yield {
        kind: 'table',
        header: header ?? [],
        rows: rows.slice(start, index).map(({ cells }) => cells),
        location: rowLocation(rows[start]!, previous),
      }
      start = index
      const next = rows[index + 1]
      if (!row || !next || !isHeader(row.cells, next.cells.length) || isHeader(next.cells, next.cells.length)) continue
      header = row.cells.map((cell) => cell.trim())
      start = index + 1
      index++
    }
    rows = []
  }

  return {
    *add(row: NumberedRow): Generator<Block> {
      rows.push(row)
      if (rows.length >= ROWS_PER_BLOCK) yield* emit()
    },
    finish: emit,
  }
}
