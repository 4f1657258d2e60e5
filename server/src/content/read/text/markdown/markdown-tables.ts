/** Cells of a table row; a pipe behind a backslash or within code is text. */
export function tableCells(line: string): string[] {
  const row = line.trim()
  const cells: string[] = []
  let cell = ''
  let code = false
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at++) {
    const char = row[at]!
    if (char === '\\' && row[at + 1] === '|') {
      cell += '|'
      at++
    } else if (char === '|' && !code) {
      cells.push(cell.trim())
      cell = ''
    } else {
      if (char === '`') code = !code
      cell += char
    }
  }
  if (cell.trim() || !row.endsWith('|')) cells.push(cell.trim())
  return cells
}

/** The row of dashes below the header of a table. */
export function isDelimiterRow(line: string): boolean {
  if (!line.includes('-') || !/^[\s|:-]+$/.test(line)) return false
  return tableCells(line).every((cell) => /^:?-+:?$/.test(cell))
}
