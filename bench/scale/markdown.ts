/** A table whose first row is its head. */
export function markdown(rows: (string | number)[][]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? shown(cell) : cell)))
  const lines = cells.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, `|${rows[0]!.map(() => ' --- |').join('')}`)
  return lines.join('\n')
}

/** Three digits, which is more than a shared machine repeats. */
function shown(value: number): string {
  if (!Number.isFinite(value)) return '-'
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
