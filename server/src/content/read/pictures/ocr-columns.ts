import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { linesOf, lineText } from './item-lines.ts'

/** A page counts as two columns of prose from this many lines with text on both sides, of this many words each. */
const MIN_LINES = 6
const MIN_WORDS = 3

/**
 * Lines of a recognised page in the order in which they are read. Two columns of prose are read one after the other;
 * any other page line by line, so that a form's labels stay with their values.
 */
export function readingOrder(page: ParsedPage): string[] {
  const gutter = findGutter(page)
  if (gutter === undefined) return page.text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
  const body = linesOf(page.textItems)
  const top = body.filter((line) => line.some((item) => crosses(item, gutter)) && isAbove(line, body, gutter))
  const rest = body.filter((line) => !top.includes(line))
  const side = (left: boolean) =>
    rest.map((line) => lineText(line.filter((item) => item.x + item.width / 2 < gutter === left))).filter(Boolean)
  return [...top.map(lineText), '', ...side(true), '', ...side(false)]
}

/** The place between two columns: no line crosses it but those above them. */
function findGutter({ textItems, width }: ParsedPage): number | undefined {
  const lines = linesOf(textItems)
  for (let share = 0.4; share <= 0.6; share += 0.02) {
    const at = width * share
    const crossing = lines.filter((line) => line.some((item) => crosses(item, at)))
    if (crossing.length > lines.length * 0.15) continue
    const sides = lines
      .filter((line) => !crossing.includes(line))
      .map(
        (line) => [wordsIn(line.filter((item) => item.x < at)), wordsIn(line.filter((item) => item.x >= at))] as const,
      )
    const prose = sides.filter(([left, right]) => left >= MIN_WORDS && right >= MIN_WORDS)
    if (prose.length >= MIN_LINES && prose.length >= sides.length * 0.6) return at
  }
  return undefined
}

function isAbove(line: TextItem[], lines: TextItem[][], gutter: number): boolean {
  const firstSplit = lines.find((other) => !other.some((item) => crosses(item, gutter)))
  return !firstSplit || line[0]!.y <= firstSplit[0]!.y
}

function crosses(item: TextItem, at: number): boolean {
  return item.x < at - 2 && item.x + item.width > at + 2
}

function wordsIn(items: TextItem[]): number {
  return items.reduce((sum, item) => sum + item.text.trim().split(/\s+/).length, 0)
}
