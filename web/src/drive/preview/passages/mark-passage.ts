import { findPassage, wordsOf } from './find-passage.ts'

const NAME = 'passage'

/**
 * Marks a passage where it stands in an element, and brings it into sight. Nothing in the element changes: the browser
 * paints over it (`::highlight(passage)`). @returns whether it is there
 */
export function markPassage(root: HTMLElement, passage: string): boolean {
  const found = rangeOf(root, passage)
  unmarkPassage()
  if (found) markRanges([found.range])
  return found !== undefined
}

/** The same where it is known from where to where it goes; the first is brought into sight. */
export function markRanges(ranges: Range[], { isShown = true } = {}): void {
  CSS.highlights?.set(NAME, new Highlight(...ranges))
  if (isShown && ranges[0]) showRange(ranges[0])
}

export function unmarkPassage(): void {
  CSS.highlights?.delete(NAME)
}

/** Where a passage stands in an element, and how much of it. */
export function rangeOf(root: HTMLElement, passage: string): { range: Range; share: number } | undefined {
  const words: { text: string; node: Text; start: number; end: number }[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null)
    for (const word of wordsOf(node.data)) words.push({ ...word, node })
  const found = findPassage(
    words.map((word) => word.text),
    wordsOf(passage).map((word) => word.text),
  )
  if (!found) return undefined
  const range = new Range()
  range.setStart(words[found.first]!.node, words[found.first]!.start)
  range.setEnd(words[found.last]!.node, words[found.last]!.end)
  return { range, share: found.share }
}

/** A range has no way into sight of its own: what it begins in has, roughly, and the rest is scrolled by hand. */
function showRange(range: Range): void {
  range.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  const top = range.getClientRects()[0]?.top
  const scroller = scrollerOf(range.startContainer.parentElement)
  if (top === undefined || !scroller) return
  const box = scroller.getBoundingClientRect()
  scroller.scrollTop += top - box.top - box.height * 0.28
}

function scrollerOf(element: HTMLElement | null): HTMLElement | undefined {
  for (let at = element; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  return undefined
}
