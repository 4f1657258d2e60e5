import bidiPackage from 'bidi-js'
import type { Run } from '../../written-document.ts'

export type Direction = 'ltr' | 'rtl'

/** A run whose characters all run in one direction. */
export interface LevelledRun extends Run {
  /** Embedding level of the Unicode bidirectional algorithm: odd from right to left, even from left to right. */
  level: number
}

/** Scripts whose letters run from right to left. */
export const RIGHT_TO_LEFT_LETTER =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** Letters, and the marks that ask for a direction: without any of them a text runs from left to right. */
const RIGHT_TO_LEFT = new RegExp(`${RIGHT_TO_LEFT_LETTER.source}|[\u200f\u061c\u202b\u202e\u2067]`, 'u')
/** They order what is around them, and show nothing. */
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const END_OF_ISOLATE = '\u2069'

// Its types say that the function is a member of the module; Node gets the function itself.
const bidi = (bidiPackage as unknown as typeof bidiPackage.default)()

/** Direction of a text, by its first letter; undefined if it has none. */
export function directionOf(text: string): Direction | undefined {
  const letter = /\p{L}/u.exec(text)?.[0]
  if (!letter) return undefined
  return RIGHT_TO_LEFT_LETTER.test(letter) ? 'rtl' : 'ltr'
}

/** Cuts the text of a paragraph where its direction changes. Code runs from left to right by itself. */
export function levelledRuns(runs: Run[], direction: Direction): LevelledRun[] {
  const isPlain = direction === 'ltr' && !runs.some(({ text }) => RIGHT_TO_LEFT.test(text))
  if (isPlain) return runs.map((run) => ({ ...run, text: run.text.replaceAll(MARKS, ''), level: 0 }))
  const texts = runs.map(({ text, code }) => (code ? LEFT_TO_RIGHT_ISOLATE + text + END_OF_ISOLATE : text))
  const { levels } = bidi.getEmbeddingLevels(texts.join(''), direction)
  const cut: LevelledRun[] = []
  let start = 0
  for (const [index, text] of texts.entries()) {
    cut.push(...pieces(runs[index]!, text, levels.subarray(start, start + text.length)))
    start += text.length
  }
  return cut
}

function pieces(run: Run, text: string, levels: Uint8Array): LevelledRun[] {
  const made: LevelledRun[] = []
  for (let start = 0, end = 1; start < text.length; end++) {
    if (end < text.length && levels[end] === levels[start]) continue
    const shown = text.slice(start, end).replaceAll(MARKS, '')
    if (shown) made.push({ ...run, text: shown, level: levels[start]! })
    start = end
  }
  return made
}

/** Puts items of a line in the order in which they stand on paper, from left to right (rule L2 of the algorithm). */
export function onPaper<Item extends { level: number }>(items: Item[]): Item[] {
  const ordered = [...items]
  const levels = items.map(({ level }) => level)
  const lowestOdd = Math.min(...levels.filter((level) => level % 2 === 1))
  for (let level = Math.max(0, ...levels); level >= lowestOdd; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while (end < ordered.length && ordered[end]!.level >= level) end++
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end
    }
  }
  return ordered
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WITH_SCRIPT = /[^\p{Script=Common}\p{Script=Inherited}]/u

/**
 * Prepares a text of one level for fontkit, which shapes letters and sets a text from right to left by its script alone:
 * brackets are mirrored, and what fontkit would set in the other direction is turned round, such as Persian digits.
 */
export function forShaping(text: string, level: number): string {
  const runsLeft = level % 2 === 1
  const mirrored = runsLeft ? Array.from(text, (sign) => bidi.getMirroredCharacter(sign) ?? sign).join('') : text
  const isSetLeft = RIGHT_TO_LEFT_LETTER.test(WITH_SCRIPT.exec(text)?.[0] ?? '')
  if (isSetLeft === runsLeft) return mirrored
  return Array.from(graphemes.segment(mirrored), ({ segment }) => segment)
    .reverse()
    .join('')
}
