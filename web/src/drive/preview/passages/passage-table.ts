import { dotItems } from '../../../ui/markdown/plain-text.ts'
import { rowsOf } from './cited-rows.ts'

/** Rows of a table as they are in passages, put back under the names of their columns. */
export interface PassageTable {
  /** Names of the columns; empty for a column that has none. */
  header: string[]
  rows: string[][]
}

/** Most columns that fit beside a chat. */
const MOST_COLUMNS = 30

/**
 * Reads a passage, or several of one table, back into a table: they hold a row a line, `column: value | column: value`.
 * @returns undefined for other text
 */
export function readTable(passages: string[]): PassageTable | undefined {
  const rows = passages.flatMap(rowsOf).map(fieldsOf)
  if (rows.length === 0 || rows.some((row) => row === undefined || row.length < 2)) return undefined
  const header: string[] = []
  for (const row of rows) {
    // A column that is empty in the rows before is placed like its neighbours.
    let at = 0
    for (const { name } of row!) {
      const known = header.indexOf(name)
      if (known < 0) header.splice(at, 0, name)
      at = (known < 0 ? at : known) + 1
    }
  }
  if (header.length > MOST_COLUMNS) return undefined
  return {
    header,
    rows: rows.map((row) => header.map((column) => row!.find(({ name }) => name === column)?.value ?? '')),
  }
}

/**
 * A passage as it is read in one line: of a table its rows, from the first with a word that begins as one of the search
 * on, with dots between the cells; other text with dots between the items of its lists.
 */
export function readableLine(text: string, search: string): string {
  const lines = readableRows(text)
  if (!lines) return dotItems(text)
  const words = wordsOf(search)
  const at = lines.findIndex((line) => wordsOf(line).some((held) => words.some((word) => held.startsWith(word))))
  return lines.slice(Math.max(0, at)).join('; ')
}

/** Rows of a table's passage, each with dots between its cells; undefined for other text. */
export function readableRows(text: string): string[] | undefined {
  const rows = rowsOf(text).map(fieldsOf)
  if (rows.some((row) => row === undefined || row.length < 2)) return undefined
  return rows.map((row) => row!.map(({ name, value }) => `${name}: ${value}`).join(' · '))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Cells of a line; undefined if one has no name or two have the same. */
function fieldsOf(line: string): { name: string; value: string }[] | undefined {
  const fields: { name: string; value: string }[] = []
  for (const part of line.split(' | ')) {
    const colon = part.indexOf(': ')
    const before = fields.at(-1)
    // A bar within a cell: columns have names, so this continues the one before.
    if (colon < 1 && before) before.value += ` | ${part}`
    else if (colon < 1) return undefined
    else fields.push({ name: part.slice(0, colon), value: part.slice(colon + 2) })
  }
  return new Set(fields.map(({ name }) => name)).size === fields.length ? fields : undefined
}
