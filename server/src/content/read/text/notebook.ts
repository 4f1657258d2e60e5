import { readFile } from 'node:fs/promises'
import type { ExtractContext, Extractor } from '../extraction.ts'
import type { Block } from '../parsed-document.ts'
import { extractCode } from './code.ts'
import { markdownBlocks } from './markdown/markdown.ts'
import { readLines } from './text-lines.ts'

/** Level below every heading of Markdown, so that the path of a passage ends with its cell. */
const CELL_LEVEL = 7
/** Escapes that colour what a cell prints. */
const colours = /\u001b\[[\d;]*m/g

interface Cell {
  cell_type?: unknown
  source?: unknown
  outputs?: unknown
}

/** Jupyter notebooks: Markdown, code and the text of outputs, each with the number of its cell; no pictures. */
export const extractNotebook: Extractor = async (file, context) => {
  if (file.sizeBytes > context.limits.officeBytes) return extractCode(file, context)
  const cells = cellsOf(await readFile(file.path, 'utf8'))
  if (!cells) return extractCode(file, context)
  // The title is in the cells, and is known before the first block only if it is looked for here.
  const blocks: Block[] = []
  let title: string | undefined
  for (const [index, cell] of cells.entries())
    for await (const block of cellBlocks(cell, index + 1, context)) {
      if (block.kind === 'heading' && block.level === 1) title ??= block.text
      blocks.push(block)
    }
  return { format: 'ipynb', title, blocks }
}

function cellsOf(text: string): Cell[] | undefined {
  try {
    const { cells } = JSON.parse(text) as { cells?: unknown }
    return Array.isArray(cells) ? cells.filter((cell) => typeof cell === 'object' && cell !== null) : undefined
  } catch {
    return undefined
  }
}

async function* cellBlocks(cell: Cell, number: number, context: ExtractContext): AsyncGenerator<Block> {
  const source = toText(cell.source)
  const mark: Block = { kind: 'heading', level: CELL_LEVEL, text: `Cell ${number}`, location: {} }
  if (cell.cell_type === 'markdown') {
    let isMarked = false
    for await (const block of markdownBlocks(readLines([source]), () => {})) {
      if (block.kind === 'heading') isMarked = false
      else if (!isMarked) {
        yield mark
        isMarked = true
      }
      yield { ...block, location: {} }
    }
    return
  }
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.slice(0, context.limits.attachments) : []
  const texts = outputs.map(outputText).filter((text) => text.trim())
  if (!source.trim() && texts.length === 0) return
  yield mark
  if (source.trim()) yield { kind: 'code', text: source, location: {} }
  for (const text of texts) yield { kind: 'code', text: `Output:\n${text}`, location: {} }
}

/** Text of an output: what was printed, a value in its plain form, or an error. */
function outputText(output: unknown): string {
  if (typeof output !== 'object' || output === null) return ''
  const { text, data, ename, evalue } = output as Record<string, unknown>
  const plain = (data as Record<string, unknown> | null | undefined)?.['text/plain']
  const error = typeof ename === 'string' ? `${ename}: ${toText(evalue)}` : ''
  return (toText(text) || toText(plain) || error).replaceAll(colours, '').trimEnd()
}

/** Notebooks keep a text whole or as a list of its lines. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : ''
}
