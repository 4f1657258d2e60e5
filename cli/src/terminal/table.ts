import { stripVTControlCharacters } from 'node:util'

/** Text of others, without what a terminal would obey. */
const plain = (text: string) => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')

/** Text of others in its lines, without what a terminal would obey. */
export const visible = (text: string) => stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, ' ')

/** Rows with their cells one below the other; the last cell of a row takes what room it needs. */
export function inColumns(rows: readonly (readonly (string | number | null | undefined)[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => plain(String(cell ?? ''))))
  const widths = texts[0]?.map((_, column) => Math.max(...texts.map((row) => (row[column] ?? '').length))) ?? []
  return texts.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
}

/** `1.4 MB` */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`
}
