const MAX_LABEL = 80
const MAX_TITLE_ROWS = 5
const number = /^[-+(]?[$€£¥]?\s?\d[\d\s.,'’]*\s?[%€$£¥]?\)?$/
const date = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T\s].*)?$/
const year = /^(?:19|20)\d\d$/

/**
 * Finds the column names of a table: the first row, or one of the five after it when those above it are titles of the
 * whole table. Gives the header (empty when the table has none), the title rows as text, and the index of the first row
 * of data.
 */
export function findHeader(rows: string[][]): { titles: string[]; header: string[]; dataStart: number } {
  const width = Math.max(0, ...rows.slice(0, 50).map(filledWidth))
  const titles: string[] = []
  for (let index = 0; index < Math.min(rows.length, MAX_TITLE_ROWS + 1); index++) {
    const row = rows[index]!
    const filled = row.filter((cell) => cell.trim())
    if (isHeader(row, width)) return { titles, header: row.map((cell) => cell.trim()), dataStart: index + 1 }
    if (filled.length > 1 || width < 2) break
    if (filled.length === 1) titles.push(filled[0]!.trim())
  }
  return { titles: [], header: [], dataStart: 0 }
}

/** Whether a row names columns: most of them filled, with different short words, no numbers but years. */
export function isHeader(row: string[], width: number): boolean {
  const cells = row.map((cell) => cell.trim()).filter(Boolean)
  if (width < 2 || cells.length < 2 || cells.length < width * 0.6) return false
  if (new Set(cells).size < cells.length) return false
  const years = cells.filter((cell) => year.test(cell)).length
  if (years === cells.length) return false
  return cells.every((cell) => cell.length <= MAX_LABEL && (year.test(cell) || !(number.test(cell) || date.test(cell))))
}

function filledWidth(row: string[]): number {
  let width = row.length
  while (width > 0 && !row[width - 1]!.trim()) width--
  return width
}
