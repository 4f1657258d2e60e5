import type { List, Nodes, Root, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Alignment, type Block, type ListItem, type Picture, plainText } from '../written-document.ts'
import { formulasAsCode } from './formulas-as-code.ts'
import { inlineReader } from './markdown-inline.ts'
import { refuseTangled } from './tangled-markdown.ts'

/** Deeper nesting is no document that anybody reads. */
const DEEPEST = 20

/** Finds pictures for a document. */
export interface Pictures {
  /** Finds a picture by the name of its file; where there is none, its description is written instead. */
  named(name: string): Promise<Picture | undefined>
  /** Draws a chart from its JSON. */
  charted(json: string): Promise<Picture>
}

/**
 * Reads Markdown (with GitHub's tables, task lists, strike-through and footnotes) into what PDF and DOCX are made of.
 * A code block in the language `chart` is a chart. Formulas are code. Raw HTML loses its tags. Links to anything but web and e-mail
 * addresses are text.
 */
export async function readMarkdown(markdown: string, pictures: Pictures): Promise<Block[]> {
  refuseTangled(markdown)
  const tree = fromMarkdown(printable(formulasAsCode(markdown)), {
    // A single tilde says "about" far more often than it strikes anything through.
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [gfmFromMarkdown()],
  })
  return new DocumentReader(tree, pictures).blocks()
}

/** Reads the tree of one document, from top to bottom. */
class DocumentReader {
  readonly #root: Root
  readonly #pictures: Pictures
  readonly #inline: ReturnType<typeof inlineReader>

  constructor(root: Root, pictures: Pictures) {
    this.#root = root
    this.#pictures = pictures
    this.#inline = inlineReader(root)
  }

  async blocks(): Promise<Block[]> {
    const blocks = await this.#blocksOf(this.#root.children, 0)
    return [...blocks, ...(await this.#notes())]
  }

  async #blocksOf(nodes: RootContent[], depth: number): Promise<Block[]> {
    const blocks: Block[] = []
    for (const node of nodes) blocks.push(...(await this.#blockOf(node, depth)))
    return blocks
  }

  async #blockOf(node: RootContent, depth: number): Promise<Block[]> {
    if (depth > DEEPEST) return textOf(this.#inline.text(node))
    switch (node.type) {
      case 'heading':
        return [{ kind: 'heading', level: node.depth, runs: this.#inline.runs(node.children) }]
      case 'paragraph':
        return this.#paragraphOf(node.children)
      case 'code':
        return node.lang === 'chart'
          ? [pictureOf(await this.#pictures.charted(node.value), 'chart')]
          : [{ kind: 'code', text: node.value }]
      case 'blockquote':
        return [{ kind: 'quote', blocks: await this.#blocksOf(node.children, depth + 1) }]
      case 'list':
        return [await this.#listOf(node, depth)]
      case 'table':
        return [this.#tableOf(node)]
      case 'thematicBreak':
        return [{ kind: 'rule' }]
      case 'html':
        return textOf(withoutTags(node.value))
      default:
        return []
    }
  }

  async #listOf(list: List, depth: number): Promise<Block> {
    const items: ListItem[] = []
    for (const item of list.children)
      items.push({ checked: item.checked ?? null, blocks: await this.#blocksOf(item.children, depth + 1) })
    return { kind: 'list', start: list.ordered ? (list.start ?? 1) : null, items }
  }

  /** Pictures stand for themselves, between what is written before and after. */
  async #paragraphOf(nodes: Nodes[]): Promise<Block[]> {
    const blocks: Block[] = []
    let waiting: Nodes[] = []
    const flush = () => {
      const runs = this.#inline.runs(waiting)
      if (runs.some(({ text }) => text.trim())) blocks.push({ kind: 'paragraph', runs })
      waiting = []
    }
    for (const node of nodes) {
      if (node.type === 'image' || node.type === 'imageReference') {
        flush()
        const url = node.type === 'image' ? node.url : (this.#inline.urlOf(node.identifier) ?? '')
        blocks.push(pictureOf(await this.#pictures.named(url), node.alt || url))
      } else waiting.push(node)
    }
    flush()
    return blocks
  }

  #tableOf({ align, children }: Table): Block {
    const columns = Math.max(...children.map((row) => row.children.length))
    return {
      kind: 'table',
      align: Array.from({ length: columns }, (_, index): Alignment => align?.[index] ?? 'left'),
      rows: children.map((row) =>
        Array.from({ length: columns }, (_, index) => this.#inline.runs(row.children[index]?.children ?? [])),
      ),
    }
  }

  async #notes(): Promise<Block[]> {
    const items: ListItem[] = []
    // Read while it grows: a note may cite another one.
    for (const identifier of this.#inline.footnotes()) {
      const note = this.#root.children.find(
        (node) => node.type === 'footnoteDefinition' && node.identifier === identifier,
      )
      const blocks = note?.type === 'footnoteDefinition' ? await this.#blocksOf(note.children, 1) : []
      items.push({ checked: null, blocks })
    }
    return items.length === 0 ? [] : [{ kind: 'rule' }, { kind: 'list', start: 1, items }]
  }
}

const pictureOf = (picture: Picture | undefined, alt: string): Block =>
  picture ? { kind: 'picture', picture, alt } : { kind: 'paragraph', runs: [{ text: `[${alt}]`, italic: true }] }

const textOf = (text: string): Block[] => (text.trim() ? [{ kind: 'paragraph', runs: [{ text: text.trim() }] }] : [])

const withoutTags = (html: string): string =>
  html
    .replaceAll(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/\s*(<br\s*\/?>|<\/(p|div|li|tr|h[1-6])\s*>)\s*/gi, '\n')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')

/** Removes what XML, and so DOCX, does not allow: control characters and lone surrogates. */
const printable = (text: string): string =>
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

/** The first heading, as text; what a document is called if it has none is up to the caller. */
export function titleOf(blocks: Block[]): string | undefined {
  const heading = blocks.find((block) => block.kind === 'heading')
  return (heading && plainText(heading.runs).replaceAll('\n', ' ').trim()) || undefined
}
