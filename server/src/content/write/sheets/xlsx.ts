import type { Cell, SheetData } from 'write-excel-file/node'
import { type SheetCell, shown } from './sheet-cell.ts'
import type { Sheet } from './sheet-data.ts'

const NARROWEST = 8
const WIDEST = 60
/** Rows that decide how wide a column is. */
const MEASURED_ROWS = 1_000
const HEADER = { fontWeight: 'bold', backgroundColor: '#eef1f4' } as const

/** A workbook with a bold header that stays in sight, and columns as wide as what is in them. */
export async function makeXlsx(sheets: Sheet[]): Promise<Buffer> {
  const { default: writeXlsx } = await import('write-excel-file/node')
  const made = sheets.map(({ name, rows }) => ({
    data: rows.map((row, index) => row.map((cell) => toCell(cell, index === 0))) as SheetData,
    sheet: name,
    columns: widthsOf(rows).map((width) => ({ width })),
    stickyRowsCount: 1,
  }))
  return writeXlsx(made, { fontFamily: 'Calibri', fontSize: 11 }).toBuffer()
}

function toCell(cell: SheetCell, isHeader: boolean): Cell {
  if (cell === null || cell === '') return null
  const { value, isFormula, format } =
    typeof cell === 'object' ? cell : { value: cell, isFormula: false, format: undefined }
  const style = {
    ...(isHeader && HEADER),
    ...(format !== undefined && { format }),
    ...(typeof value === 'string' &&
      !isFormula &&
      (value.length > WIDEST || value.includes('\n')) && { wrap: true, alignVertical: 'top' as const }),
  }
  // The type is said, so that no text that begins with = is ever taken for a formula.
  if (isFormula) return { value: value as string, type: 'Formula', ...style }
  if (value instanceof Date) return { value, type: Date, ...style, format: format ?? 'yyyy-mm-dd' }
  if (typeof value === 'number') return { value, type: Number, ...style }
  if (typeof value === 'boolean') return { value, type: Boolean, ...style }
  return { value, type: String, ...style }
}

function widthsOf(rows: SheetCell[][]): number[] {
  const widths: number[] = []
  for (const row of rows.slice(0, MEASURED_ROWS)) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? NARROWEST, Math.min(WIDEST, shown(cell).length + 2))
    }
  }
  return widths
}
