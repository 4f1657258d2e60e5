import { markdownText, plainText } from './notion-text.ts'

export interface Block {
  type: string
  children: Block[]
  [field: string]: unknown
}

const HEADINGS: Record<string, string> = { heading_1: '#', heading_2: '##', heading_3: '###', heading_4: '####' }
const FILES = new Set(['image', 'video', 'audio', 'file', 'pdf', 'embed', 'bookmark', 'link_preview'])

/** Blocks of a page as Markdown; a kind of block that is not known gives what it holds. */
export function toMarkdown(blocks: Block[]): string {
  const parts: string[] = []
  let number = 0
  let before: Block | undefined
  for (const block of blocks) {
    number = block.type === 'numbered_list_item' ? number + 1 : 0
    const text = markdownOf(block, number)
    if (!text) continue
    const isList = before?.type === block.type && /list_item|to_do/.test(block.type)
    if (parts.length > 0) parts.push(isList ? '\n' : '\n\n')
    parts.push(text)
    before = block
  }
  return parts.join('')
}

function markdownOf(block: Block, number: number): string {
  const { type, children } = block
  const own = (typeof block[type] === 'object' && block[type] !== null ? block[type] : {}) as Record<string, unknown>
  const text = markdownText(own.rich_text)
  const below = children.length > 0 ? toMarkdown(children) : ''
  if (HEADINGS[type]) return joined(`${HEADINGS[type]} ${text}`, below)
  if (FILES.has(type)) return linkOf(own)
  switch (type) {
    case 'bulleted_list_item':
      return item('- ', text, below)
    case 'numbered_list_item':
      return item(`${number}. `, text, below)
    case 'to_do':
      return item(own.checked === true ? '- [x] ' : '- [ ] ', text, below)
    case 'quote':
    case 'callout':
      return indented(joined(text, below), '> ', '> ')
    case 'code':
      return fenced(plainText(own.rich_text), typeof own.language === 'string' ? own.language : '')
    case 'equation':
      return typeof own.expression === 'string' ? `$$\n${own.expression}\n$$` : ''
    case 'divider':
      return '---'
    case 'table':
      return tableOf(children)
    case 'child_page':
    case 'child_database':
      return typeof own.title === 'string' ? own.title : ''
    default:
      return joined(text, below)
  }
}

const joined = (...parts: string[]): string => parts.filter(Boolean).join('\n\n')

const item = (mark: string, text: string, below: string): string =>
  indented(below ? `${text}\n${below}` : text, mark, ' '.repeat(mark.length))

function indented(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first + line : line ? others + line : others.trimEnd()))
    .join('\n')
}

function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language.replaceAll(/[^\w+#-]/g, '')}\n${code}\n${fence}`
}

/** Caption of a file or link, with its address; those of files that Notion keeps end after an hour. */
function linkOf(own: Record<string, unknown>): string {
  const external = (own.external as { url?: unknown } | undefined)?.url ?? own.url
  const url = typeof external === 'string' && /^https?:/.test(external) ? external : ''
  const label = markdownText(own.caption) || (typeof own.name === 'string' ? own.name : '')
  if (url) return `[${label || url}](${url})`
  return label
}

function tableOf(rows: Block[]): string {
  const cells = rows.map(({ table_row }) => {
    const row = (table_row as { cells?: unknown[] } | undefined)?.cells ?? []
    return row.map((cell) => markdownText(cell).replaceAll('|', '\\|').replaceAll('\n', ' '))
  })
  const [head, ...others] = cells
  if (!head) return ''
  const lineOf = (row: string[]) => `| ${head.map((_, at) => row[at] ?? '').join(' | ')} |`
  return [lineOf(head), `|${' --- |'.repeat(head.length)}`, ...others.map(lineOf)].join('\n')
}
