import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'
import { isHeader } from '../table-header.ts'

/** Lines above a table that may be its column names, at most this far above it, in points. */
const MAX_GAP = 30
const MAX_NAME_LINES = 3

interface Column {
  left: number
  right: number
}

export interface PdfTable {
  header: string[]
  rows: string[][]
  /** How many blocks right before the table turned out to be its column names. */
  taken: number
}

/**
 * Column names and rows of the table at `index` of a page's layout. Where the layout found no names, they are the first
 * row if it reads like names, else the bold lines right above the table, split by the columns they are over.
 */
export function pdfTable(layout: LayoutBlock[], index: number, page: ParsedPage): PdfTable {
  const table = layout[index]!
  const rows = (table.rows ?? []).map((row) => row.map((cell) => cell.text))
  const width = Math.max(0, ...rows.map((row) => row.length))
  const header = (table.header ?? []).map((cell) => cell.text)
  if (header.some((name) => name.trim())) return { header, rows, taken: 0 }
  if (rows.length > 1 && isHeader(rows[0]!, width) && !isHeader(rows[1]!, width))
    return { header: rows[0]!, rows: rows.slice(1), taken: 0 }
  return { rows, ...(namesAbove(layout, index, page, width) ?? { header: [], taken: 0 }) }
}

function namesAbove(
  layout: LayoutBlock[],
  index: number,
  page: ParsedPage,
  width: number,
): { header: string[]; taken: number } | undefined {
  const table = layout[index]!
  const columns = columnsOf(table, width)
  if (!columns || !table.bbox) return undefined
  let top = table.bbox.y
  let taken = 0
  for (let above = index - 1; above >= 0 && above >= index - MAX_NAME_LINES; above--) {
    const { kind, bold, bbox } = layout[above]!
    if (kind !== 'paragraph' || !bold || !bbox || top - (bbox.y + bbox.height) > MAX_GAP) break
    top = bbox.y
    taken++
  }
  if (taken === 0) return undefined
  const bottom = table.bbox.y
  const items = page.textItems.filter((item) => item.y >= top - 2 && item.y + item.height / 2 < bottom)
  const names: string[] = columns.map(() => '')
  for (const item of items.sort((a, b) => a.y - b.y || a.x - b.x)) {
    const column = columns.findIndex((candidate, at) => isOver(item, candidate, columns[at + 1]))
    if (column < 0) return undefined
    names[column] = `${names[column]} ${item.text.trim()}`.trim()
  }
  return names.filter(Boolean).length >= 2 ? { header: names, taken } : undefined
}

/** Left and right edge of each column, by the cells that have ink. */
function columnsOf(table: LayoutBlock, width: number): Column[] | undefined {
  const columns: Column[] = []
  for (let column = 0; column < width; column++) {
    const boxes = (table.rows ?? []).flatMap((row) => row[column]?.bbox ?? [])
    if (boxes.length === 0) return undefined
    columns.push({
      left: Math.min(...boxes.map((box) => box.x)),
      right: Math.max(...boxes.map((box) => box.x + box.width)),
    })
  }
  return columns
}

function isOver(item: TextItem, column: Column, next: Column | undefined): boolean {
  const center = item.x + item.width / 2
  return center >= column.left - 10 && center < (next ? next.left - 5 : Number.POSITIVE_INFINITY)
}
