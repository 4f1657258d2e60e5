import { stripVTControlCharacters, styleText } from 'node:util'
import type { List, Nodes, PhrasingContent, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

const parse = (text: string) => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

/**
 * Markdown for a terminal, written as it comes: a block appears when it is whole, that is, when the next one begins.
 * @param write gets text with the terminal's colours
 */
export function streamMarkdown(write: (text: string) => void) {
  let pending = ''
  let isFirst = true
  const show = (block: RootContent) => {
    write(`${isFirst ? '' : '\n'}${blockOf(block)}\n`)
    isFirst = false
  }
  return {
    add(text: string): void {
      pending += text
      if (!text.includes('\n')) return
      const blocks = parse(pending).children
      const last = blocks.at(-1)
      if (blocks.length < 2 || !last) return
      blocks.slice(0, -1).forEach(show)
      pending = pending.slice(last.position!.start.offset)
    },
    end(): void {
      parse(pending).children.forEach(show)
      pending = ''
    },
  }
}

type Style = Parameters<typeof styleText>[0]

const styled = (style: Style, text: string) => styleText(style, text, { validateStream: false })

/** Text without what a terminal would obey. */
const plain = (text: string) => stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, '')

const indented = (text: string, first: string, rest = ' '.repeat(first.length)) =>
  text
    .split('\n')
    .map((line, at) => (at === 0 ? first : rest) + line)
    .join('\n')

function blockOf(node: RootContent): string {
  switch (node.type) {
    case 'heading':
      return styled(node.depth === 1 ? ['bold', 'underline'] : 'bold', inline(node.children))
    case 'paragraph':
      return inline(node.children)
    case 'code':
      return indented(styled('cyan', plain(node.value)), '    ', '    ')
    case 'blockquote':
      return indented(node.children.map(blockOf).join('\n\n'), styled('dim', '│ '), styled('dim', '│ '))
    case 'list':
      return listOf(node)
    case 'table':
      return tableOf(node)
    case 'thematicBreak':
      return styled('dim', '─'.repeat(40))
    default:
      return 'value' in node ? plain(String(node.value)) : 'children' in node ? inline(node.children as never) : ''
  }
}

function listOf({ ordered, start, children, spread }: List): string {
  const items = children.map((item, at) => {
    const box = item.checked === true ? '☑ ' : item.checked === false ? '☐ ' : ''
    const mark = ordered ? `${(start ?? 1) + at}. ` : '• '
    return indented(box + item.children.map(blockOf).join(spread ? '\n\n' : '\n'), mark)
  })
  return items.join(spread ? '\n\n' : '\n')
}

function tableOf({ children }: Table): string {
  const rows = children.map((row) => row.children.map((cell) => inline(cell.children)))
  const lengthOf = (text: string) => stripVTControlCharacters(text).length
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column] ?? ''))))
  const lines = rows.map((row) =>
    widths.map((width, column) => (row[column] ?? '') + ' '.repeat(width - lengthOf(row[column] ?? ''))).join('  '),
  )
  const line = styled('dim', widths.map((width) => '─'.repeat(width)).join('  '))
  return [styled('bold', lines[0]!), line, ...lines.slice(1)].join('\n')
}

const inline = (nodes: readonly (PhrasingContent | Nodes)[]): string => nodes.map(inlineOf).join('')

function inlineOf(node: PhrasingContent | Nodes): string {
  switch (node.type) {
    case 'strong':
      return styled('bold', inline(node.children))
    case 'emphasis':
      return styled('italic', inline(node.children))
    case 'delete':
      return styled('strikethrough', inline(node.children))
    case 'inlineCode':
      return styled('cyan', plain(node.value))
    case 'break':
      return '\n'
    case 'link': {
      const text = inline(node.children)
      const url = plain(node.url)
      return stripVTControlCharacters(text) === url
        ? styled('underline', text)
        : `${text} (${styled('underline', url)})`
    }
    case 'image':
      return plain(node.alt || node.url)
    default:
      return 'children' in node ? inline(node.children) : 'value' in node ? plain(String(node.value)) : ''
  }
}
