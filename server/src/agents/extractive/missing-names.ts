import { termOf } from '../../search/analysis/analysis.ts'

/** A word with a capital that does not begin the sentence. */
const NAME = /(?<=\S\s+["“'(]?)\p{Lu}[\p{L}\p{N}]+/gu
const WORD = /[\p{L}\p{N}]+/gu

/**
 * Share of the names in a question that no passage holds, 0 to 1: a question about somebody who is named nowhere is not
 * answered by its common words. A name is a word with a capital inside a sentence; a question in which most words have
 * one, as in a title, is taken to name nothing.
 * @param texts of the passages, with their titles
 * @param held whether some passage holds this term
 */
export function shareOfMissingNames(
  question: string,
  texts: readonly string[],
  held: (term: string) => boolean,
): number {
  const names = [...new Set(question.match(NAME) ?? [])]
  const words = question.match(WORD) ?? []
  if (names.length === 0 || 2 * names.length > words.length) return 0
  const missing = names.filter((name) => !held(termOf(name)) && !texts.some((text) => text.includes(name)))
  return missing.length / names.length
}
