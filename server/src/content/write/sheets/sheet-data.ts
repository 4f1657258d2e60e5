import { z } from 'zod'
import { MakeFailure } from '../failure.ts'
import { csvCell, jsonCell, type SheetCell } from './sheet-cell.ts'

export interface Sheet {
  name: string
  /** The first row is the header. */
  rows: SheetCell[][]
}

const MOST_SHEETS = 100
const MOST_CELLS = 500_000
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384

const FORMS = `Write CSV for one sheet, or JSON: {"sheets": [{"name": "Sales", "rows": [["Month", "Total"], ["2026-01-01", 12.5], ["Sum", {"formula": "=SUM(B2:B2)"}]]}]}; rows may also be objects whose keys are the header.`

const Cell = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ formula: z.string().startsWith('=').max(8_192), format: z.string().max(100).optional() }),
  z.strictObject({
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    format: z.string().max(100).optional(),
  }),
])
const Rows = z.union([z.array(z.array(Cell)), z.array(z.record(z.string(), Cell))])
const Book = z.union([
  z.strictObject({ sheets: z.array(z.object({ name: z.string().optional(), rows: Rows })).min(1) }),
  Rows,
  z.record(z.string(), Rows),
])
type GivenRows = z.infer<typeof Rows>

/**
 * Reads what a model writes for a workbook: CSV (by comma, semicolon, tab or bar) or JSON.
 * @throws MakeFailure that says what the forms are
 */
export async function readSheets(content: string): Promise<Sheet[]> {
  const sheets = /^\s*[[{]/.test(content) ? fromJson(content) : [{ name: 'Sheet1', rows: await fromCsv(content) }]
  const filled = sheets.filter(({ rows }) => rows.length > 0)
  if (filled.length === 0) throw new MakeFailure(`There are no rows. ${FORMS}`)
  check(filled)
  return named(filled)
}

function fromJson(content: string): Sheet[] {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new MakeFailure(`The content is not valid JSON: ${(error as Error).message}. ${FORMS}`)
  }
  const result = Book.safeParse(value)
  if (!result.success) throw new MakeFailure(`The content has another form than a workbook takes. ${FORMS}`)
  const book = result.data
  if (Array.isArray(book)) return [{ name: 'Sheet1', rows: rowsOf(book) }]
  if ('sheets' in book && book.sheets.every((sheet) => !Array.isArray(sheet) && 'rows' in sheet)) {
    const sheets = book.sheets as { name?: string; rows: GivenRows }[]
    return sheets.map(({ name, rows }, index) => ({ name: name ?? `Sheet${index + 1}`, rows: rowsOf(rows) }))
  }
  return Object.entries(book as Record<string, GivenRows>).map(([name, rows]) => ({ name, rows: rowsOf(rows) }))
}

function rowsOf(rows: GivenRows): SheetCell[][] {
  if (isArrays(rows)) return rows.map((row, index) => row.map((cell) => jsonCell(cell, index === 0)))
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [header, ...rows.map((row) => header.map((name) => jsonCell(row[name] ?? null, false)))]
}

const isArrays = (rows: GivenRows): rows is z.infer<typeof Cell>[][] => rows.every((row) => Array.isArray(row))

async function fromCsv(content: string): Promise<SheetCell[][]> {
  const { parse } = await import('csv-parse/sync')
  const { detectDelimiter } = await import('../../read/text/delimiter.ts')
  try {
    const rows: string[][] = parse(content, {
      bom: true,
      delimiter: detectDelimiter(content)?.delimiter ?? ',',
      relax_column_count: true,
      skip_empty_lines: true,
    })
    return rows.map((row, index) => row.map((text) => csvCell(text, index === 0)))
  } catch (error) {
    throw new MakeFailure(`The CSV cannot be read: ${(error as Error).message}. ${FORMS}`)
  }
}

function check(sheets: Sheet[]): void {
  if (sheets.length > MOST_SHEETS) throw new MakeFailure(`A workbook can have ${MOST_SHEETS} sheets at most.`)
  let cells = 0
  for (const { name, rows } of sheets) {
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
    if (rows.length > MOST_ROWS || columns > MOST_COLUMNS) {
      throw new MakeFailure(`Sheet "${name}" is larger than ${MOST_ROWS} rows or ${MOST_COLUMNS} columns.`)
    }
    cells += rows.reduce((sum, row) => sum + row.length, 0)
  }
  if (cells > MOST_CELLS)
    throw new MakeFailure(`There are ${cells} cells, ${MOST_CELLS} at most; write a .csv file instead.`)
}

/** Names as spreadsheets take them: 31 characters, some signs not allowed, each once whatever the case. */
function named(sheets: Sheet[]): Sheet[] {
  const taken = new Set<string>()
  return sheets.map(({ name, rows }, index) => {
    const base =
      name
        .replaceAll(/[\\/?*[\]:\p{Cc}]/gu, '-')
        .replaceAll(/^'+|'+$/g, '')
        .trim()
        .slice(0, 31) || `Sheet${index + 1}`
    let unique = base
    for (let count = 2; taken.has(unique.toLowerCase()); count++) {
      const suffix = ` (${count})`
      unique = base.slice(0, 31 - suffix.length) + suffix
    }
    taken.add(unique.toLowerCase())
    return { name: unique, rows }
  })
}
