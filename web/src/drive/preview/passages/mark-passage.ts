import type { Target } from '../target.ts'
import { rowsOf } from './cited-rows.ts'
import { findPassage, splitWords } from './find-passage.ts'
import { readTable } from './passage-table.ts'

const NAME = 'passage'

/**
 * Marks what a target means: the rows of a table that it names; all rows of the passage, which names the columns in each
 * as the document does not; else the passage as it is written.
 */
export function markTarget(root: HTMLElement, { text, rows }: Pick<Target, 'text' | 'rows'>): boolean {
  const named = rows.length > 0 ? findRows(root, rows) : []
  const ranges = named.length > 0 || !readTable([text]) ? named : findRows(root, rowsOf(text))
  if (ranges.length === 0) return markPassage(root, text)
  unmarkPassage()
  markRanges(ranges)
  return true
}

/** Ranges of the rows of tables in an element that hold each cell of one of the rows. */
function findRows(root: HTMLElement, rows: string[]): Range[] {
  const wanted = rows.map((row) => row.split(' | ').map(wordsIn))
  return [...root.querySelectorAll('tr')]
    .filter((element) => {
      const cells = [...element.cells].map(({ textContent }) => wordsIn(textContent))
      // A passage names the column before each value.
      return wanted.some((values) =>
        values.every((value) => cells.some((cell) => cell !== '' && ` ${value}`.endsWith(` ${cell}`))),
      )
    })
    .map((element) => {
      const range = new Range()
      range.selectNodeContents(element)
      return range
    })
}

const wordsIn = (text: string): string =>
  splitWords(text)
    .map((word) => word.text)
    .join(' ')

/**
 * Marks a passage in an element, and scrolls to it. The element does not change: the browser paints over it
 * (`::highlight(passage)`).
 * @returns whether the passage was found
 */
export function markPassage(root: HTMLElement, passage: string): boolean {
  const found = findRange(root, passage)
  unmarkPassage()
  if (found) markRanges([found.range])
  return found !== undefined
}

/** Marks known ranges, and scrolls to the first. */
export function markRanges(ranges: Range[], { isShown = true } = {}): void {
  CSS.highlights?.set(NAME, new Highlight(...ranges))
  if (isShown && ranges[0]) showRange(ranges[0])
}

export function unmarkPassage(): void {
  CSS.highlights?.delete(NAME)
}

/** Range of a passage in an element, and the share of it that was found. */
export function findRange(root: HTMLElement, passage: string): { range: Range; share: number } | undefined {
  const words: { text: string; node: Text; start: number; end: number }[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null)
    for (const word of splitWords(node.data)) words.push({ ...word, node })
  const found = findPassage(
    words.map((word) => word.text),
    splitWords(passage).map((word) => word.text),
  )
  if (!found) return undefined
  const range = new Range()
  range.setStart(words[found.first]!.node, words[found.first]!.start)
  range.setEnd(words[found.last]!.node, words[found.last]!.end)
  return { range, share: found.share }
}

/** A range cannot be scrolled to; the element it starts in can, roughly, and the rest is scrolled by hand. */
function showRange(range: Range): void {
  range.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  const top = range.getClientRects()[0]?.top
  const scroller = findScroller(range.startContainer.parentElement)
  if (top === undefined || !scroller) return
  const box = scroller.getBoundingClientRect()
  scroller.scrollTop += top - box.top - box.height * 0.28
}

function findScroller(element: HTMLElement | null): HTMLElement | undefined {
  for (let at = element; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  return undefined
}
