/** A piece of text in one style. A line break is `\n`. */
export interface Run {
  text: string
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
  superscript?: boolean
  /** Absolute URL: http, https or mailto. */
  link?: string
}

export type Alignment = 'left' | 'center' | 'right'

/** A PNG as it goes into a document, with the size it has there, in pixels at 96 dpi. */
export interface Picture {
  bytes: Uint8Array
  width: number
  height: number
}

export interface ListItem {
  /** State of an item of a task list; else null. */
  checked: boolean | null
  blocks: Block[]
}

/** Markdown reduced to blocks, for the makers of PDF and DOCX alike. */
export type Block =
  | { kind: 'heading'; level: number; runs: Run[] }
  | { kind: 'paragraph'; runs: Run[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  /** `start` is the first number, null for bullets; what `goesOn` is the beginning of a list that was cut in two. */
  | { kind: 'list'; start: number | null; items: ListItem[]; goesOn?: boolean }
  /** The first row is the header. */
  | { kind: 'table'; align: Alignment[]; rows: Run[][][] }
  | { kind: 'picture'; picture: Picture; alt: string }
  | { kind: 'rule' }

export const PAGES = ['A4', 'A4 landscape', 'Letter', 'Letter landscape'] as const
export type Page = (typeof PAGES)[number]

/** Ready to be laid out. */
export interface Document {
  title: string
  page: Page
  blocks: Block[]
}

export const plainText = (runs: Run[]): string => runs.map(({ text }) => text).join('')

/** Words of a block and of all that is in it. */
export function wordsOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.runs)
    case 'quote':
      return block.blocks.map(wordsOf).join('\n')
    case 'list':
      return block.items.flatMap((item) => item.blocks.map(wordsOf)).join('\n')
    case 'table':
      return block.rows.flat().map(plainText).join('\n')
    default:
      return ''
  }
}
