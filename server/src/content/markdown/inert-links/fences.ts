import { indentOf } from './code-lines.ts'

/** A fenced code block, as its first line opened it. */
export interface Fence {
  mark: '`' | '~'
  length: number
  /** Columns before it, and block quotes around it: a line with less of either is no longer in it. */
  indent: number
  quotes: number
}

/** How a whole line stands to the fence that it comes after. */
export function closes(fence: Fence, line: string): 'yes' | 'no' | 'perhaps' {
  const [, head = '', run = ''] = /^([\s>]*)(`+|~+)[ \t\r]*$/.exec(line) ?? []
  if (run[0] !== fence.mark || run.length < fence.length) return 'no'
  const quotes = head.split('>').length - 1
  if (quotes !== fence.quotes) return fence.quotes === 0 ? 'no' : 'perhaps'
  if (line.includes('\t')) return 'perhaps'
  const indent = indentOf(head, fence.quotes)
  return indent === fence.indent || (indent <= 3 && fence.indent <= 3) ? 'yes' : 'perhaps'
}

/** A line that closes the fence for everyone. */
export const closingLine = ({ mark, length, indent, quotes }: Fence): string =>
  '> '.repeat(quotes) + ' '.repeat(indent) + mark.repeat(length)

/** Whether a line that begins with this white space (and, in a quote, its marks) is still in the fence. */
export function isInside(fence: Fence, head: string): boolean {
  const quotes = fence.quotes === 0 ? 0 : [...head].filter((character) => character === '>').length
  return quotes >= fence.quotes && indentOf(head, fence.quotes) >= fence.indent
}
