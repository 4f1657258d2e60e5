/** Beginning of a line before its first word: spaces, block quotes, list marks. */
export interface LineHead {
  /** Columns after the last block quote and the space that belongs to it, with the list marks. */
  indent: number
  quotes: number
  /** Column where the text of a list item begins, if this line begins one. */
  itemIndent?: number
  /** Columns before its first list mark. */
  markIndent?: number
  /** Whether the item has a number other than 1, which begins no list in the middle of a paragraph. */
  isLaterItem: boolean
}

const LONGEST_HEAD = 100

/** Whether a line that begins like this may still turn out to be a fence. */
export const isHead = (text: string): boolean => text.length <= LONGEST_HEAD && /^[\s\p{C}>*+\-\d.)]*$/u.test(text)

/** @returns undefined for what is no proper sequence of marks, such as `-` without a space after it, or too tangled. */
export function readHead(text: string): LineHead | undefined {
  let indent = 0
  let quotes = 0
  let itemIndent: number | undefined
  let markIndent: number | undefined
  let isLaterItem = false
  let isAfterQuote = false
  for (let at = 0; at < text.length; ) {
    const [mark = ''] = /^(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))/.exec(text.slice(at)) ?? []
    if (mark === '') return undefined
    if (mark === '>') {
      // A quote within a list item is too much to follow.
      if (itemIndent !== undefined || indent > 3) return undefined
      quotes++
      indent = 0
    } else if (mark === '\t') indent += 4 - (indent % 4)
    else if (mark !== ' ' || !isAfterQuote) indent += mark.length
    isAfterQuote = mark === '>'
    at += mark.length
    if (mark === ' ' || mark === '\t' || mark === '>') continue
    markIndent ??= indent - mark.length
    isLaterItem ||= /\d/.test(mark) && Number.parseInt(mark, 10) !== 1
    itemIndent = indent + 1
  }
  return { indent, quotes, itemIndent, markIndent, isLaterItem }
}

export function indentOf(head: string, quotes: number): number {
  const white = quotes === 0 ? head : head.slice(head.lastIndexOf('>') + 1)
  let columns = 0
  for (const character of white) columns += character === '\t' ? 4 - (columns % 4) : 1
  // The space after a quote's mark belongs to the mark, where there is one.
  return quotes > 0 && white.startsWith(' ') ? columns - 1 : columns
}
