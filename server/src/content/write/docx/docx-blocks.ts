import type { ILevelsOptions, IParagraphOptions, Paragraph as ParagraphType, Table as TableType } from 'docx'
import { type Block, type ListItem, type Picture, plainText, type Run } from '../written-document.ts'
import { docxText } from './docx-text.ts'

type Docx = typeof import('docx')
type Child = ParagraphType | TableType

export interface DocxRoom {
  /** Twentieths of a point for the text. */
  width: number
  /** Each list is numbered by itself; they are gathered here. */
  lists: { start: number | null }[]
  /** Indentation of the surrounding block. */
  indent?: number
  isQuote?: boolean
  list?: { reference: string; level: number }
}

const STEP = 400
const LINE = 'D5DAE1'
const SHADE = 'F4F6F8'
/** Word has nine levels. */
const DEEPEST_LIST = 8
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

export const docxBlocks = (docx: Docx, blocks: Block[], room: DocxRoom): Child[] =>
  blocks.flatMap((block) => docxBlock(docx, block, room))

function docxBlock(docx: Docx, block: Block, room: DocxRoom): Child[] {
  const { indent = 0 } = room
  switch (block.kind) {
    case 'heading':
      return [paragraph(docx, block.runs, room, { heading: `Heading${block.level}` as IParagraphOptions['heading'] })]
    case 'paragraph':
      return [paragraph(docx, block.runs, room)]
    case 'code':
      return codeOf(docx, block.text, indent)
    case 'quote':
      return docxBlocks(docx, block.blocks, { ...room, indent: indent + STEP, isQuote: true })
    case 'list':
      return listOf(docx, block, room)
    case 'table':
      return [tableOf(docx, block, room), new docx.Paragraph({ spacing: { after: 60 } })]
    case 'picture':
      return [pictureOf(docx, block.picture, block.alt, room)]
    case 'rule':
      return [
        new docx.Paragraph({
          border: { bottom: { style: 'single', size: 6, color: LINE, space: 1 } },
          indent: { left: indent },
        }),
      ]
  }
}

function paragraph(
  docx: Docx,
  runs: Run[],
  { indent = 0, isQuote, list }: DocxRoom,
  options: Partial<IParagraphOptions> = {},
): ParagraphType {
  const bidirectional = RIGHT_TO_LEFT.test(plainText(runs))
  return new docx.Paragraph({
    children: docxText(docx, runs, { color: isQuote ? '52606D' : undefined, rightToLeft: bidirectional }),
    bidirectional,
    ...(list
      ? { numbering: { ...list }, style: 'ListParagraph', indent: { left: indent, hanging: STEP } }
      : { indent: { left: indent } }),
    ...(isQuote && { border: { left: { style: 'single', size: 18, color: LINE, space: 10 } } }),
    ...options,
  })
}

/** One paragraph for all lines, so that the shade has no gaps. */
function codeOf(docx: Docx, text: string, indent: number): Child[] {
  const lines = text.replaceAll('\t', '    ').split('\n')
  const border = { style: 'single' as const, size: 4, color: SHADE, space: 6 }
  const code = new docx.Paragraph({
    style: 'Code',
    indent: { left: indent + 120, right: 120 },
    shading: { type: 'clear', fill: SHADE },
    border: { top: border, bottom: border, left: border, right: border },
    spacing: { before: 80, after: 220 },
    children: lines.map((line, index) => new docx.TextRun({ text: line, ...(index > 0 && { break: 1 }) })),
  })
  return [code]
}

function listOf(docx: Docx, { start, items }: Extract<Block, { kind: 'list' }>, room: DocxRoom): Child[] {
  const level = Math.min(DEEPEST_LIST, room.list ? room.list.level + 1 : 0)
  const reference = `list-${room.lists.push({ start }) - 1}`
  const inside = { ...room, indent: (room.indent ?? 0) + STEP }
  return items.flatMap((item) => {
    const { marker, blocks } = marked(item)
    const [first, ...rest] = blocks
    const list = marker ? { reference, level } : undefined
    const depth = { reference, level }
    if (first?.kind !== 'paragraph') {
      const empty = paragraph(docx, [], { ...inside, list })
      return [empty, ...nested(blocks, depth)]
    }
    return [
      paragraph(docx, first.runs, { ...inside, list }, list ? {} : { indent: { left: inside.indent, hanging: STEP } }),
      ...nested(rest, depth),
    ]
  })

  function nested(blocks: Block[], depth: { reference: string; level: number }): Child[] {
    return blocks.flatMap((block) =>
      // Only lists look at how deep they are; paragraphs of an item have no mark of their own.
      docxBlock(docx, block, block.kind === 'list' ? { ...inside, list: depth } : { ...inside, list: undefined }),
    )
  }
}

/** A task's box takes the place of the bullet. */
function marked({ checked, blocks }: ListItem): { marker: boolean; blocks: Block[] } {
  if (checked === null) return { marker: true, blocks }
  const box: Run = { text: checked ? '☒\t' : '☐\t' }
  const [first, ...rest] = blocks
  return first?.kind === 'paragraph'
    ? { marker: false, blocks: [{ ...first, runs: [box, ...first.runs] }, ...rest] }
    : { marker: false, blocks: [{ kind: 'paragraph', runs: [box] }, ...blocks] }
}

const BULLETS = ['•', '◦', '▪']

export const listLevels = (start: number | null): ILevelsOptions[] =>
  Array.from({ length: DEEPEST_LIST + 1 }, (_, level) => ({
    level,
    start: start ?? 1,
    format: start === null ? 'bullet' : 'decimal',
    text: start === null ? BULLETS[level % BULLETS.length] : `%${level + 1}.`,
    alignment: 'left',
    style: { paragraph: { indent: { left: STEP * (level + 1), hanging: STEP } } },
  }))

function tableOf(
  docx: Docx,
  { align, rows }: Extract<Block, { kind: 'table' }>,
  { indent = 0, width }: DocxRoom,
): TableType {
  const edge = { style: 'single' as const, size: 4, color: LINE }
  const none = { style: 'none' as const, size: 0, color: 'auto' }
  const columnWidths = shares(
    align.map((_, column) => rows.map((row) => plainText(row[column]!))),
    width - indent,
  )
  const size = align.length <= 5 ? undefined : align.length <= 8 ? 17 : 14
  return new docx.Table({
    // Long words are then cut instead of pushing the other columns off the page.
    layout: 'fixed',
    width: { size: width - indent, type: 'dxa' },
    columnWidths,
    indent: { size: indent, type: 'dxa' },
    borders: { top: edge, bottom: edge, left: none, right: none, insideHorizontal: edge, insideVertical: none },
    margins: { top: 60, bottom: 60, left: 100, right: 100 },
    rows: rows.map(
      (row, index) =>
        new docx.TableRow({
          tableHeader: index === 0,
          cantSplit: true,
          children: row.map(
            (runs, column) =>
              new docx.TableCell({
                width: { size: columnWidths[column]!, type: 'dxa' },
                ...(index === 0 && { shading: { type: 'clear', fill: SHADE } }),
                children: [
                  new docx.Paragraph({
                    style: 'TableText',
                    alignment: align[column],
                    children: docxText(docx, runs, { bold: index === 0, size }),
                  }),
                ],
              }),
          ),
        }),
    ),
  })
}

const LEAST_CHARACTERS = 4
const MOST_CHARACTERS = 50

/** Divides a width among columns by what is in them: the longest word of each, and the more the longer its cells are. */
function shares(columns: string[][], width: number): number[] {
  const weights = columns.map((cells) => {
    const longest = Math.max(...cells.map((cell) => cell.length))
    const word = Math.max(...cells.flatMap((cell) => cell.split(/\s+/).map((part) => part.length)))
    return Math.max(LEAST_CHARACTERS, Math.min(word, MOST_CHARACTERS), Math.min(longest, MOST_CHARACTERS)) + 2
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => Math.floor((width * weight) / total))
}

/** Twentieths of a point in a pixel. */
const PIXEL = 15

function pictureOf(
  docx: Docx,
  { bytes, width, height }: Picture,
  alt: string,
  { width: room, indent = 0 }: DocxRoom,
): ParagraphType {
  const shrink = Math.min(1, (room - indent) / (width * PIXEL), 9_000 / (height * PIXEL))
  return new docx.Paragraph({
    alignment: 'center',
    children: [
      new docx.ImageRun({
        type: 'png',
        data: Buffer.from(bytes),
        transformation: { width: Math.round(width * shrink), height: Math.round(height * shrink) },
        altText: { name: alt, description: alt, title: alt },
      }),
    ],
  })
}
