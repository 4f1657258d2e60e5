/** Word of a text, with its position. */
export interface Word {
  text: string
  start: number
  end: number
}

/** Words for comparison: letters and digits, without case and accents. */
export function splitWords(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    text: word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}

const RUN = 3
/** Share of a passage that must be found: less is a resemblance. A page may hold only a part of it. */
const ENOUGH = 0.3

/**
 * Finds a passage among words that may be set differently: broken into lines, with other punctuation, with a page
 * number in between. The result is the stretch, about as long as the passage, with most of its runs of three words.
 * @returns the first and the last word and the share of the passage found, or undefined if it is not there
 */
export function findPassage(
  words: readonly string[],
  passage: readonly string[],
): { first: number; last: number; share: number } | undefined {
  const length = Math.min(RUN, passage.length)
  if (length === 0) return undefined
  const runAt = (list: readonly string[], at: number) => list.slice(at, at + length).join(' ')
  const runs = new Set(Array.from({ length: passage.length - length + 1 }, (_, at) => runAt(passage, at)))
  const hits: number[] = []
  for (let at = 0; at + length <= words.length; at++) if (runs.has(runAt(words, at))) hits.push(at)

  const reach = Math.ceil(passage.length * 1.15) + 4
  let best = { from: 0, to: -1 }
  for (let from = 0, to = 0; from < hits.length; from++) {
    while (to + 1 < hits.length && hits[to + 1]! - hits[from]! < reach) to++
    if (to - from > best.to - best.from) best = { from, to }
    to = Math.max(to, from + 1)
  }
  const found = best.to - best.from + 1
  const possible = Math.min(runs.size, words.length - length + 1)
  if (found < Math.max(1, ENOUGH * possible)) return undefined
  return { first: hits[best.from]!, last: hits[best.to]! + length - 1, share: found / runs.size }
}
