/** Shorter words have too many neighbours. */
const TERM_MIN_LENGTH = 5
/** Length from which two slips are forgiven. */
const LONG_TERM = 9

/** Whether a term may be a slip of the pen: a word of letters alone, as part numbers differ by a letter on purpose. */
export const mayBeMisspelt = (term: string): boolean => term.length >= TERM_MIN_LENGTH && /^\p{L}+$/u.test(term)

/**
 * The word that was meant by a term: the nearest of those that are in some texts, and of equally near ones the most
 * frequent. The first letter is taken to be right.
 */
export function nearestWord(term: string, words: Iterable<string>): string | undefined {
  const most = term.length >= LONG_TERM ? 2 : 1
  const counts = new Map<string, number>()
  for (const word of words) if (word[0] === term[0]) counts.set(word, (counts.get(word) ?? 0) + 1)
  let best: { word: string; slips: number; count: number } | undefined
  for (const [word, count] of counts) {
    if (Math.abs(word.length - term.length) > most || !mayBeMisspelt(word)) continue
    const slips = countSlips(term, word)
    if (slips > most) continue
    if (!best || slips < best.slips || (slips === best.slips && count > best.count)) best = { word, slips, count }
  }
  return best?.word
}

/** Letters left out, added or changed, and neighbours that changed places (optimal string alignment). */
export function countSlips(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(change, (above[j] as number) + 1, (row[j - 1] as number) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1)
      row.push(least)
    }
    before = above
    above = row
  }
  return above[b.length] as number
}
