import { ENGLISH_TRIGRAMS } from './english-trigrams.ts'

/** Words and numbers of recognised text. */
export const wordsOf = (items: readonly { text: string }[]): string[] =>
  items.flatMap(({ text }) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’]*/gu) ?? [])

/** Words by which text is judged: numbers are the same in every language, and serial numbers are no words in any. */
export const letteredWords = (items: readonly { text: string }[]): string[] =>
  wordsOf(items).filter((word) => word.length >= 3 && !/\p{N}/u.test(word))

/** Share of the words that look like English ones, 0 to 1; 0 where there are none. */
export function shareOfWords(words: readonly string[]): number {
  return words.length > 0 ? words.filter(looksLikeWord).length / words.length : 0
}

/** English by its letters, or in a script that only data for its own language brings. */
function looksLikeWord(word: string): boolean {
  if (!/[a-z]/i.test(word)) return /\p{L}/u.test(word)
  // No capitals in the middle: many letters of other scripts look like these.
  if (!/^([A-Z]?[a-z'’]+|[A-Z]+)$/.test(word)) return false
  const edged = `_${word.toLowerCase()}_`
  let known = 0
  for (let at = 0; at + 3 <= edged.length; at++) if (ENGLISH_TRIGRAMS.has(edged.slice(at, at + 3))) known++
  return known / (edged.length - 2) >= 0.6
}
