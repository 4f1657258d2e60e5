import type { OfficeContentNode, OfficeParserAST } from 'officeparser'
import type { Block, Location } from '../parsed-document.ts'
import { isHeader } from '../table-header.ts'
import { inlineText, isInline, plainText, tableRows } from './office-text.ts'
import { sheetBlocks } from './sheet.ts'
import type { SheetFormats } from './sheet-formats.ts'

/** Deeper content is taken as one text: real documents stay far above. */
const MAX_DEPTH = 100
/** A paragraph that is styled as a heading but longer than this is text. */
const MAX_HEADING_CHARS = 300

/** Blocks of a document that officeparser has read, in its order. */
export function* officeBlocks(ast: OfficeParserAST, formats?: SheetFormats): Generator<Block> {
  yield* nodesBlocks(ast.content, {}, 0, formats)
  yield* marginBlocks(ast)
}

function* nodesBlocks(
  nodes: OfficeContentNode[],
  at: Location,
  depth: number,
  formats?: SheetFormats,
): Generator<Block> {
  let inline: OfficeContentNode[] = []
  for (const node of nodes) {
    if (isInline(node)) {
      inline.push(node)
      continue
    }
    yield* textBlock(inline, at)
    inline = []
    yield* nodeBlocks(node, at, depth, formats)
  }
  yield* textBlock(inline, at)
}

function* nodeBlocks(node: OfficeContentNode, at: Location, depth: number, formats?: SheetFormats): Generator<Block> {
  const children = node.children ?? []
  if (depth > MAX_DEPTH) {
    yield* textBlock([node], at)
    return
  }
  switch (node.type) {
    case 'sheet':
      yield* sheetBlocks(node, formats)
      break
    case 'slide':
      yield* nodesBlocks(children, { ...at, slide: node.metadata?.slideNumber }, depth + 1, formats)
      yield* noteBlocks(node, { ...at, slide: node.metadata?.slideNumber }, 'Notes: ')
      return
    case 'page':
      yield* nodesBlocks(children, { ...at, page: node.metadata?.pageNumber }, depth + 1, formats)
      break
    case 'heading':
      yield* headingBlock(node, at)
      break
    case 'table':
      yield* tableBlock(node, at)
      break
    case 'code':
      if (node.metadata?.math) yield* textBlock([node], at)
      else if (node.text?.trim()) yield { kind: 'code', text: node.text, location: { ...at } }
      break
    case 'comment':
    case 'slideMaster':
      return
    default:
      if (children.length > 0 && !children.every(isInline)) yield* nodesBlocks(children, at, depth + 1, formats)
      else yield* textBlock([node], at)
  }
  yield* noteBlocks(node, at, '')
}

function* headingBlock(node: OfficeContentNode, at: Location): Generator<Block> {
  const text = plainText(node)
  if (!text) return
  const level = node.type === 'heading' ? (node.metadata?.level ?? 1) : 1
  if (text.length > MAX_HEADING_CHARS) yield { kind: 'paragraph', text, location: { ...at } }
  else yield { kind: 'heading', level, text, location: { ...at } }
}

function* textBlock(nodes: OfficeContentNode[], at: Location): Generator<Block> {
  if (nodes.length === 0) return
  const text = inlineText(nodes)
  if (text) yield { kind: 'paragraph', text, location: { ...at } }
}

function* tableBlock(node: OfficeContentNode, at: Location): Generator<Block> {
  const rows = tableRows(node).filter((row) => row.some(Boolean))
  if (rows.length === 0) return
  // A table of one cell or column is a frame around text.
  if (rows.every((row) => row.length === 1)) {
    yield { kind: 'paragraph', text: rows.map((row) => row[0]).join('\n'), location: { ...at } }
    return
  }
  const named = rows.length > 1 && isHeader(rows[0]!, Math.max(...rows.map((row) => row.length)))
  const header = named ? rows[0]! : []
  yield { kind: 'table', header, rows: named ? rows.slice(1) : rows, location: { ...at, row_start: named ? 2 : 1 } }
}

/** Footnotes and speaker notes of a node and of the runs within it. */
function* noteBlocks(node: OfficeContentNode, at: Location, label: string): Generator<Block> {
  const notes = [...(node.notes ?? [])]
  if (node.type !== 'slide')
    for (const child of node.children ?? []) if (isInline(child)) notes.push(...(child.notes ?? []))
  for (const note of notes) {
    const text = withoutNumber(plainText(note), at.slide)
    if (text) yield { kind: 'paragraph', text: label + text, location: { ...at } }
  }
}

/** Speaker notes without the number of their slide, with which their page ends. */
const withoutNumber = (text: string, slide: number | undefined): string =>
  slide === undefined ? text : text.replace(new RegExp(`(^|\\n)\\s*${slide}\\s*$`), '').trim()

/** Running heads and feet once each, if they say more than a page number. */
function* marginBlocks(ast: OfficeParserAST): Generator<Block> {
  const seen = new Set<string>()
  for (const node of [...(ast.auxiliary?.headers ?? []), ...(ast.auxiliary?.footers ?? [])]) {
    const text = plainText(node)
    if (seen.has(text) || (text.match(/\p{L}{2,}/gu)?.length ?? 0) < 3) continue
    seen.add(text)
    yield { kind: 'paragraph', text, location: {} }
  }
}
