import type { Content, ContentText } from 'pdfmake/interfaces.js'
import { type Block, type ListItem, type Picture, plainText, type Run } from '../written-document.ts'
import { keptTogether } from './pdf-keep.ts'
import { AFTER, LINE, type PdfRoom, SHADE } from './pdf-look.ts'
import { pdfTable } from './pdf-table-node.ts'
import { pdfText } from './pdf-text.ts'

export function pdfBlocks(blocks: Block[], room: PdfRoom): Content[] {
  return keptTogether(blocks, room.width).flatMap((together): Content[] => {
    const made = together.map((block) => pdfBlock(block, room))
    const [first, ...others] = made
    if (together.at(-1)!.kind === 'heading') {
      // The layout looks whether anything but these headings follows on the page.
      return [{ ...(first as ContentText), headlineLevel: made.length }, ...others]
    }
    return made.length > 1 ? [{ stack: made, unbreakable: true }] : made
  })
}

function pdfBlock(block: Block, room: PdfRoom): Content {
  switch (block.kind) {
    case 'heading':
      return {
        text: pdfText(block.runs, room.missing),
        style: `heading${block.level}`,
        outline: true,
        outlineText: plainText(block.runs),
      }
    case 'paragraph':
      return { text: pdfText(block.runs, room.missing), margin: [0, 0, 0, AFTER] }
    case 'code':
      return codeOf(block.text, room)
    case 'quote':
      return quoteOf(block.blocks, room)
    case 'list':
      return listOf(block, room)
    case 'table':
      return pdfTable(block, room)
    case 'picture':
      return pictureOf(block.picture, room)
    case 'rule':
      return {
        canvas: [{ type: 'line', x1: 0, y1: 0, x2: room.width, y2: 0, lineWidth: 0.75, lineColor: LINE }],
        margin: [0, 6, 0, AFTER + 6],
      }
  }
}

const CODE_PADDING = 8

function codeOf(text: string, { missing }: PdfRoom): Content {
  const lines = text.replaceAll('\t', '    ')
  return {
    table: {
      widths: ['*'],
      body: [
        [
          {
            text: pdfText([{ text: lines }], missing, 'Mono'),
            fontSize: 8.5,
            lineHeight: 1.25,
            preserveLeadingSpaces: true,
          },
        ],
      ],
    },
    layout: {
      fillColor: SHADE,
      hLineWidth: () => 0,
      vLineWidth: () => 0,
      paddingLeft: () => CODE_PADDING,
      paddingRight: () => CODE_PADDING,
      paddingTop: () => CODE_PADDING - 1,
      paddingBottom: () => CODE_PADDING - 3,
    },
    margin: [0, 2, 0, AFTER + 2],
  }
}

const QUOTE_INDENT = 12

function quoteOf(blocks: Block[], room: PdfRoom): Content {
  return {
    table: {
      widths: ['*'],
      body: [[{ stack: pdfBlocks(blocks, { ...room, width: room.width - QUOTE_INDENT }), color: '#52606d' }]],
    },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (index) => (index === 0 ? 2.5 : 0),
      vLineColor: () => LINE,
      paddingLeft: () => QUOTE_INDENT,
      paddingRight: () => 0,
      paddingTop: () => 1,
      paddingBottom: () => 0,
    },
    margin: [0, 2, 0, AFTER],
  }
}

const LIST_INDENT = 18

function listOf({ start, items, goesOn }: Extract<Block, { kind: 'list' }>, room: PdfRoom): Content {
  const inside = { ...room, width: Math.max(80, room.width - LIST_INDENT) }
  const made = items.map((item) => itemOf(item, inside))
  const margin: [number, number, number, number] = [0, 0, 0, goesOn ? 0 : AFTER - 3]
  return start === null ? { ul: made, margin } : { ol: made, start, margin }
}

function itemOf({ checked, blocks }: ListItem, room: PdfRoom): Content {
  const marked = checked === null ? blocks : withBox(blocks, checked)
  const stack = pdfBlocks(marked, room).map((content, index) =>
    // Items are closer than paragraphs.
    index === 0 && typeof content === 'object' && 'text' in content
      ? { ...content, margin: [0, 0, 0, 3] as [number, number, number, number] }
      : content,
  )
  const content = { stack: stack.length > 0 ? stack : [{ text: ' ' }] }
  // The types do not know it for stacks, the library does.
  return checked === null ? content : ({ ...content, listType: 'none' } as Content)
}

function withBox(blocks: Block[], checked: boolean): Block[] {
  const box: Run = { text: checked ? '☑ ' : '☐ ' }
  const [first, ...rest] = blocks
  return first?.kind === 'paragraph'
    ? [{ ...first, runs: [box, ...first.runs] }, ...rest]
    : [{ kind: 'paragraph', runs: [box] }, ...blocks]
}

/** Points in a pixel. */
const PIXEL = 0.75
/** A share of the page: its heading goes with it. */
const MOST_PICTURE_HEIGHT = 0.75

function pictureOf({ bytes, width, height }: Picture, room: PdfRoom): Content {
  const shrink = Math.min(1, room.width / (width * PIXEL), (room.height * MOST_PICTURE_HEIGHT) / (height * PIXEL))
  return {
    image: `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`,
    width: width * PIXEL * shrink,
    height: height * PIXEL * shrink,
    alignment: 'center',
    margin: [0, 4, 0, AFTER + 4],
  }
}
