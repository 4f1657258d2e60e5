import { type Block, plainText } from '../written-document.ts'

/** Limit for blocks kept together: they must fit on one page, and what does not is lost, so it is far below a page. */
const MOST_CHARACTERS = 900
const MOST_LINES = 12
const MOST_CELL_CHARACTERS = 40
const MOST_HEADING_CHARACTERS = 300
/** Points of an upright page; in a narrower place less text fits. */
const FULL_WIDTH = 460

/**
 * Groups headings with what follows, so that none stands alone at the end of a page: with a short block, or with the
 * first item of a list, which continues after it. Headings of a long block are a group by themselves.
 * @param width points for the text
 */
export function keptTogether(blocks: Block[], width: number): Block[][] {
  const most = MOST_CHARACTERS * Math.min(1, width / FULL_WIDTH)
  const groups: Block[][] = []
  const left = [...blocks].reverse()
  let headings: Block[] = []
  for (let block = left.pop(); block; block = left.pop()) {
    if (block.kind === 'heading') {
      headings.push(block)
      continue
    }
    const { kept, rest } = beginningOf(block, most)
    if (headings.length > 0 && kept && charactersOf(headings) < MOST_HEADING_CHARACTERS) {
      groups.push([...headings, kept])
      if (rest) left.push(rest)
    } else groups.push(...(headings.length > 0 ? [headings] : []), [block])
    headings = []
  }
  return headings.length > 0 ? [...groups, headings] : groups
}

/** The part of a block that can be kept with a heading, and what remains of it. */
function beginningOf(block: Block, most: number): { kept?: Block; rest?: Block } {
  if (isShort(block, most)) return { kept: block }
  if (block.kind !== 'list' || block.items.length < 2) return {}
  const [first, ...items] = block.items
  const kept = { ...block, items: [first!], goesOn: true }
  if (!isShort(kept, most)) return {}
  return { kept, rest: { ...block, start: block.start === null ? null : block.start + 1, items } }
}

function isShort(block: Block, most: number): boolean {
  switch (block.kind) {
    case 'rule':
    case 'picture':
      return true
    case 'heading':
    case 'paragraph':
    case 'code':
    case 'list':
      return charactersOf([block]) < most && linesOf([block]) <= MOST_LINES
    case 'table':
      return (
        block.rows.length <= MOST_LINES &&
        block.rows.flat().every((runs) => plainText(runs).length <= MOST_CELL_CHARACTERS)
      )
    case 'quote':
      return false
  }
}

const charactersOf = (blocks: Block[]): number => sum(blocks, (block) => textOf(block).length)
const linesOf = (blocks: Block[]): number => sum(blocks, (block) => textOf(block).split('\n').length)

/** All that a block says; what cannot be counted in characters is as much as anything. */
function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.runs)
    case 'code':
      return block.text
    case 'list':
      return block.items.map((item) => item.blocks.map(textOf).join('\n')).join('\n')
    default:
      return '\n'.repeat(MOST_LINES)
  }
}

const sum = <Item>(items: Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
