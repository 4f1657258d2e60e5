import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse'
import { countWords } from '../../chunks/count-words.ts'
import type { Block } from '../parsed-document.ts'
import { type PdfTable, pdfTable } from './pdf-table.ts'

/** Share of a page's height at its top and bottom where running heads and page numbers stand. */
const MARGIN = 0.1
const MAX_RUNNING_WORDS = 20
const MAX_HEADING_WORDS = 40
const pageNumber = /^[\W_]*(?:page|seite|p|s)?[\W_]*\d{1,5}(?:\s*(?:\/|of|von|-)\s*\d{1,5})?[\W_]*$/i
const sentenceEnd = /[.!?:;…"”»)\]]$/

/**
 * Makes blocks of the pages of a PDF, which it takes in order: a running head or foot is kept where it comes first, a
 * paragraph that continues over the page becomes one. Where the layout has lost more than a tenth of a page's words, the
 * page's plain text stands for it.
 */
export function createPageReader() {
  const running = new Set<string>()
  let open: Extract<Block, { kind: 'paragraph' }> | undefined

  function isRepeated(block: LayoutBlock, page: ParsedPage): boolean {
    const text = (block.text ?? '').replace(/\s+/g, ' ').trim()
    if (!block.bbox || !text || countWords(text) > MAX_RUNNING_WORDS) return false
    const middle = (block.bbox.y + block.bbox.height / 2) / page.height
    if (middle > MARGIN && middle < 1 - MARGIN) return false
    if (pageNumber.test(text)) return true
    const key = block.kind === 'heading' ? text : text.replace(/\d+/g, '#')
    const known = running.has(key)
    running.add(key)
    return known
  }

  function* release(): Generator<Block> {
    if (open) yield open
    open = undefined
  }

  function* hold(text: string, page: number, first: boolean): Generator<Block> {
    if (open && first && !sentenceEnd.test(open.text) && /^\p{Ll}/u.test(text)) {
      open.text = /\p{Ll}-$/u.test(open.text) ? open.text.slice(0, -1) + text : `${open.text} ${text}`
      return
    }
    yield* release()
    open = { kind: 'paragraph', text, location: { page } }
  }

  /** Blocks of one page; its last paragraph may come with the next. */
  function* read(page: ParsedPage): Generator<Block> {
    const at = page.pageNum
    const layout = (page.blocks ?? []).filter((block) => block.kind !== 'rule' && block.kind !== 'figure')
    if (countWords(page.text) * 0.9 > layout.reduce((sum, block) => sum + layoutWords(block), 0)) {
      yield* release()
      for (const text of paragraphsOf(page.text)) yield { kind: 'paragraph', text, location: { page: at } }
    } else {
      const tables = new Map<LayoutBlock, PdfTable>()
      const names = new Set<LayoutBlock>()
      for (const [index, block] of layout.entries()) {
        if (block.kind !== 'table') continue
        const table = pdfTable(layout, index, page)
        tables.set(block, table)
        for (const name of layout.slice(index - table.taken, index)) names.add(name)
      }
      let first = true
      for (const block of layout) {
        if (names.has(block) || isRepeated(block, page)) continue
        const table = tables.get(block)
        if (table) {
          yield* release()
          const { header, rows } = table
          yield { kind: 'table', header, rows, location: { page: at, row_start: 1 } }
        } else if (block.kind === 'heading' && countWords(block.text ?? '') <= MAX_HEADING_WORDS) {
          yield* release()
          yield { kind: 'heading', level: block.level ?? 1, text: block.text ?? '', location: { page: at } }
        } else {
          const text = blockText(block)
          if (text) yield* hold(text, at, first && block.kind === 'paragraph')
        }
        first = false
      }
    }
    yield* fieldBlocks(page)
  }

  function* fieldBlocks(page: ParsedPage): Generator<Block> {
    const rows = (page.formFields ?? [])
      .filter((field) => field.value?.trim() && field.value !== 'Off')
      .map((field) => [field.alternateName || field.name || '', field.value!.trim()])
    if (rows.length === 0) return
    yield* release()
    yield {
      kind: 'table',
      header: [],
      rows: rows.map(([name, value]) => [name ? `${name}: ${value}` : value!]),
      location: { page: page.pageNum },
    }
  }

  return { read, finish: release }
}

function layoutWords(block: LayoutBlock): number {
  const cells = [...(block.header ?? []), ...(block.rows ?? []).flat()].map((cell) => cell.text)
  return countWords([block.marker ?? '', block.text ?? '', ...(block.lines ?? []), ...cells].join(' '))
}

function blockText(block: LayoutBlock): string {
  if (block.lines)
    return block.lines
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .join('\n')
      .trim()
  const text = (block.text ?? '').trim()
  return block.marker ? `${block.marker} ${text}` : text
}

/** Paragraphs of a page's text, which is laid out with spaces as on the page. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/\n[^\S\n]*\n/)
    .map((part) =>
      part
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ').trim())
        .filter(Boolean)
        .join('\n'),
    )
    .filter(Boolean)
}
