import type { Content, ContentText } from 'pdfmake/interfaces.js'
import { type Block, type Picture, plainText, type Run, wordsOf } from '../written-document.ts'
import { type Direction, directionOf } from './bidi/direction.ts'
import { keptTogether } from './pdf-keep.ts'
import { pdfList } from './pdf-list.ts'
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
        ...textOf(block.runs, room),
        style: `heading${block.level}`,
        outline: true,
        outlineText: plainText(block.runs),
      }
    case 'paragraph':
      return { ...textOf(block.runs, room), margin: [0, 0, 0, AFTER] }
    case 'code':
      return codeOf(block.text, room)
    case 'quote':
      return quoteOf(block.blocks, directed(block, room))
    case 'list':
      return pdfList(block, directed(block, room), pdfBlocks)
    case 'table':
      return pdfTable(block, directed(block, room))
    case 'picture':
      return pictureOf(block.picture, room)
    case 'rule':
      return {
        canvas: [{ type: 'line', x1: 0, y1: 0, x2: room.width, y2: 0, lineWidth: 0.75, lineColor: LINE }],
        margin: [0, 6, 0, AFTER + 6],
      }
  }
}

/** Room inside of a list, quote or table: what is not inside of another has the direction of its first letter. */
const directed = (block: Block, room: PdfRoom): PdfRoom => ({
  ...room,
  direction: room.direction ?? directionOf(wordsOf(block)),
})

/** Text in the direction of its own first letter, on the side where what is around it begins. */
function textOf(runs: Run[], { missing, direction: around }: PdfRoom): { text: ContentText[]; alignment?: 'right' } {
  const direction: Direction = directionOf(plainText(runs)) ?? around ?? 'ltr'
  const text = pdfText(runs, missing, { direction })
  return (around ?? direction) === 'rtl' ? { text, alignment: 'right' } : { text }
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
            text: pdfText([{ text: lines }], missing, { font: 'Mono' }),
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
  const isRightToLeft = room.direction === 'rtl'
  return {
    table: {
      widths: ['*'],
      body: [[{ stack: pdfBlocks(blocks, { ...room, width: room.width - QUOTE_INDENT }), color: '#52606d' }]],
    },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (index) => (index === (isRightToLeft ? 1 : 0) ? 2.5 : 0),
      vLineColor: () => LINE,
      paddingLeft: () => (isRightToLeft ? 0 : QUOTE_INDENT),
      paddingRight: () => (isRightToLeft ? QUOTE_INDENT : 0),
      paddingTop: () => 1,
      paddingBottom: () => 0,
    },
    margin: [0, 2, 0, AFTER],
  }
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
