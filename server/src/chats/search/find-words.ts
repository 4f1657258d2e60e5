import { foldCase } from '../../platform/text/text.ts'

const MOST_WORDS = 8
/** Characters of a snippet before the first word that was found, and in all. */
const BEFORE = 60
const SNIPPET = 200

export interface FoundText {
  in: 'query' | 'response'
  /** Text around the first word that was found, on one line; `…` marks where it was cut. */
  snippet: string
}

/** Forms of a word to look for: as texts that are only lower-cased have it, too. */
export type Word = readonly string[]

/** Words of what is searched, folded; at most eight. */
export const wordsOf = (search: string): Word[] =>
  [...new Set(search.split(/\s+/).filter(Boolean))]
    .slice(0, MOST_WORDS)
    .map((word) => [...new Set([word.normalize('NFC').toLowerCase(), foldCase(word)])])

const positionOf = (text: string, word: Word): number => {
  const positions = word.map((form) => text.indexOf(form)).filter((at) => at >= 0)
  return positions.length === 0 ? -1 : Math.min(...positions)
}

/**
 * Finds a message that holds all words as parts of its words, in the question or in the answer. Only lower-cased, not
 * folded: that takes a tenth of the time, and most searches look at far more than they find.
 */
export function findWords({ query, response }: { query: string; response: string }, words: Word[]): FoundText | null {
  const asked = query.toLowerCase()
  const missing = words.filter((word) => positionOf(asked, word) < 0)
  if (missing.length === 0) return { in: 'query', snippet: snippetOf(query, firstOf(asked, words)) }
  const said = response.toLowerCase()
  if (missing.some((word) => positionOf(said, word) < 0)) return null
  return { in: 'response', snippet: snippetOf(response, firstOf(said, words)) }
}

const firstOf = (text: string, words: Word[]): number =>
  Math.min(...words.map((word) => positionOf(text, word)).filter((at) => at >= 0))

/** Lower case may be longer by a few characters, which a snippet does not feel. */
function snippetOf(text: string, at: number): string {
  let start = Math.max(0, Math.min(at, text.length - 1) - BEFORE)
  // Begins with a whole word.
  if (start > 0) start += Math.max(0, text.slice(start, start + BEFORE).search(/\s/))
  const end = Math.min(text.length, start + SNIPPET)
  const shown = text.slice(start, end).toWellFormed().replaceAll(/\s+/g, ' ').trim()
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`
}
