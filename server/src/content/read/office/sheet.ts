import type { OfficeContentNode } from 'officeparser'
import type { Block } from '../parsed-document.ts'
import { createTableBuilder } from '../table-builder.ts'
import { plainText } from './office-text.ts'
import type { SheetFormats } from './sheet-formats.ts'

/** A cell this far right is moved left to here: sheets with one value in the last column exist. */
const MAX_COLUMNS = 2_000

/** Rows of a sheet as tables with their column names, each with the sheet's name and the row numbers shown in it. */
export function* sheetBlocks(sheet: OfficeContentNode, formats?: SheetFormats): Generator<Block> {
  const name = sheet.type === 'sheet' ? sheet.metadata?.sheetName : undefined
  const table = createTableBuilder({ sheet: name })
  let number = 0
  for (const row of sheet.children ?? []) {
    if (row.type !== 'row') {
      const text = plainText(row)
      if (text) yield { kind: 'paragraph', text, location: { sheet: name } }
      continue
    }
    number = rowNumber(row) ?? number + 1
    const cells: string[] = []
    for (const cell of row.children ?? []) {
      const column = Math.min(cell.type === 'cell' ? (cell.metadata?.col ?? cells.length) : cells.length, MAX_COLUMNS)
      while (cells.length < column) cells.push('')
      const text = plainText(cell)
      cells.push(formats ? formats.display(text, cell.rawContent) : text)
    }
    if (cells.some((cell) => cell.trim())) yield* table.add({ number, cells })
  }
  yield* table.finish()
}

function rowNumber(row: OfficeContentNode): number | undefined {
  const first = row.children?.[0]
  return first?.type === 'cell' && first.metadata ? first.metadata.row + 1 : undefined
}
