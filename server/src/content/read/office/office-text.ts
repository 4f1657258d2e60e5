import type { OfficeContentNode } from 'officeparser'

const inlineTypes = new Set<string>(['text', 'break', 'image', 'chart', 'drawing', 'embed'])
/** A cell that spans more columns than this is not repeated further: no table is that wide. */
const MAX_SPAN = 50

/** Runs, line breaks and pictures, which are within a paragraph. A drawing with paragraphs in it is not. */
export function isInline(node: OfficeContentNode): boolean {
  return inlineTypes.has(node.type) && (node.children ?? []).every(isInline)
}

/** Text of runs that follow each other: white space folded, line breaks kept. */
export function inlineText(nodes: OfficeContentNode[]): string {
  return tidy(nodes.map((node) => rawText(node, 0)).join(''))
}

/** All text of a node; its paragraphs on lines of their own. */
export function plainText(node: OfficeContentNode): string {
  return tidy(rawText(node, 0))
}

function rawText(node: OfficeContentNode, depth: number): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'comment') return ''
  const children = node.children ?? []
  if (children.length === 0 || depth > 200) return node.type === 'image' ? '' : (node.text ?? '')
  let text = ''
  for (const child of children) {
    const part = rawText(child, depth + 1)
    text += isInline(child) || text === '' || text.endsWith('\n') ? part : `\n${part}`
  }
  return text
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n')
}

/** Cells of a table as rows of the same columns; a cell that spans columns is in the first of them. */
export function tableRows(table: OfficeContentNode): string[][] {
  const rows: string[][] = []
  for (const row of table.children ?? []) {
    if (row.type !== 'row') continue
    const cells: string[] = []
    for (const cell of row.children ?? []) {
      const metadata = cell.type === 'cell' ? cell.metadata : undefined
      // The column number leaves gaps for cells that span rows above.
      while (metadata?.col !== undefined && cells.length < Math.min(metadata.col, 1000)) cells.push('')
      cells.push(plainText(cell).replaceAll('\n', ' '))
      for (let span = Math.min(metadata?.colSpan ?? 1, MAX_SPAN); span > 1; span--) cells.push('')
    }
    rows.push(cells)
  }
  return rows
}
