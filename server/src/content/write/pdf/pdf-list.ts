import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { Block, ListItem, Run } from '../written-document.ts'
import { AFTER, type PdfRoom } from './pdf-look.ts'
import { pdfText } from './pdf-text.ts'

type List = Extract<Block, { kind: 'list' }>
/** Lays out what is in an item. */
type LayOut = (blocks: Block[], room: PdfRoom) => Content[]

const LIST_INDENT = 18
/** Points for a marker on the right: of two digits, so that lists begin alike. */
const MARKER = 22
/** Points that a digit takes at most. */
const DIGIT = 7

export function pdfList({ start, items, goesOn }: List, room: PdfRoom, layOut: LayOut): Content {
  const inside = { ...room, width: Math.max(80, room.width - LIST_INDENT) }
  const stacks = items.map((item) => stackOf(item, inside, layOut))
  const margin: [number, number, number, number] = [0, 0, 0, goesOn ? 0 : AFTER - 3]
  if (room.direction === 'rtl') return { ...markedOnTheRight(stacks, items, start, room), margin }
  // The types do not know a marker for stacks, the library does.
  const made = items.map(({ checked }, index) =>
    checked === null ? { stack: stacks[index]! } : ({ stack: stacks[index]!, listType: 'none' } as Content),
  )
  return start === null ? { ul: made, margin } : { ol: made, start, margin }
}

/** A list that begins on the right: pdfmake has its markers on the left, so it is a table of items and markers. */
function markedOnTheRight(stacks: Content[][], items: ListItem[], start: number | null, { missing }: PdfRoom) {
  const markers = items.map(({ checked }, index) => {
    if (checked !== null) return ' '
    return start === null ? '•' : `${start + index}.`
  })
  const width = Math.max(MARKER, DIGIT * Math.max(...markers.map((marker) => marker.length)))
  const body = stacks.map((stack, index): TableCell[] => {
    const text = pdfText([{ text: markers[index]! }], missing, { direction: 'rtl' })
    return [{ stack }, { text, alignment: 'right', noWrap: true }]
  })
  return {
    table: { widths: ['*', width], body },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: () => 0,
      paddingLeft: () => 0,
      paddingRight: () => 0,
      paddingTop: () => 0,
      paddingBottom: () => 0,
    },
  }
}

function stackOf({ checked, blocks }: ListItem, room: PdfRoom, layOut: LayOut): Content[] {
  const marked = checked === null ? blocks : withBox(blocks, checked)
  const stack = layOut(marked, room).map((content, index) =>
    // Items are closer than paragraphs.
    index === 0 && typeof content === 'object' && 'text' in content
      ? { ...content, margin: [0, 0, 0, 3] as [number, number, number, number] }
      : content,
  )
  return stack.length > 0 ? stack : [{ text: ' ' }]
}

function withBox(blocks: Block[], checked: boolean): Block[] {
  const box: Run = { text: checked ? '☑ ' : '☐ ' }
  const [first, ...rest] = blocks
  return first?.kind === 'paragraph'
    ? [{ ...first, runs: [box, ...first.runs] }, ...rest]
    : [{ kind: 'paragraph', runs: [box] }, ...blocks]
}
