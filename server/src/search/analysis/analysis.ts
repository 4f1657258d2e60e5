import { forEachSpan } from './spans.ts'
import { stem } from './stemmer.ts'
import { stopTerms } from './stop-words.ts'

/**
 * The index's analysis (`textIndexOptions` of `lance-columns.ts`) done again in JavaScript, for what happens after the engine has
 * answered: weighing terms, reranking, scoring sentences.
 */

/** Longer tokens are not indexed: longer than a SHA-256 in hex, shorter than most embedded binary. In UTF-8 bytes. */
export const TOKEN_MAX_BYTES = 96

/** A place in a text where a term stands. */
export interface TermMatch {
  /** Place of the term in the list that was looked for. */
  term: number
  /** Words before it, stop words included. */
  position: number
}

/** Chinese and Japanese words are about as long. */
export const UNSPACED_CHARACTERS_PER_WORD = 2
const ASCII = 128
const LOWER_CASE_BIT = 32
const HAS_UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

const MAX_KNOWN_WORDS = 30_000
/** V8 makes longer slices of a text that keep the whole text in memory. */
const MAX_KNOWN_LENGTH = 12
/** A map, which takes 30 ns a word; LRUCache takes 57 to 147, and every word of a file comes by here. */
const knownWords = new Map<string, string>()

/** The term that a word of a spaced script is indexed as; empty for stop words and for what is too long. */
export function termOf(word: string): string {
  if (word.length > MAX_KNOWN_LENGTH) return analyse(word)
  const known = knownWords.get(word)
  if (known !== undefined) return known
  if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear()
  const term = analyse(word)
  knownWords.set(word, term)
  return term
}

function analyse(word: string): string {
  if (word.length >= TOKEN_MAX_BYTES || Buffer.byteLength(word) >= TOKEN_MAX_BYTES) return ''
  // The index lowers letter by letter, so that a capital sigma at the end of a word is no exception.
  const stemmed = stem(word.replaceAll('Σ', 'σ').toLowerCase())
  return stopTerms().has(stemmed) ? '' : foldToAscii(stemmed)
}

const LETTERS_WITHOUT_DECOMPOSITION: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
}

function foldToAscii(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word
  // Only Latin letters are folded: the dots of й and the marks of Devanagari tell words apart.
  return word.replace(/[\p{sc=Latn}\p{No}\uff10-\uff19]\p{Mn}*/gu, (letter) => {
    const plain = letter
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .replace('\u2044', '')
    return LETTERS_WITHOUT_DECOMPOSITION[plain] ?? plain
  })
}

/** Terms of a text in order, repeated where they repeat; words of unspaced scripts are left out. */
export function spacedTerms(text: string): string[] {
  const terms: string[] = []
  forEachSpan(text, (start, end, unspaced) => {
    const term = unspaced ? '' : termOf(text.slice(start, end))
    if (term) terms.push(term)
  })
  return terms
}

/** How long the index takes a text to be, in terms; an estimate where scripts without spaces are in it. */
export function lengthInTerms(text: string): number {
  let length = 0
  forEachSpan(text, (start, end, unspaced) => {
    if (unspaced) length += Math.ceil((end - start) / UNSPACED_CHARACTERS_PER_WORD)
    else if (termOf(text.slice(start, end))) length += 1
  })
  return length
}

/** Whether a term is of a script without spaces. */
export function hasUnspaced(term: string): boolean {
  return HAS_UNSPACED.test(term)
}

/** Finds terms in texts: made once a query, used on many texts. */
export class TermFinder {
  #spaced = new Map<string, number>()
  #unspaced: { term: string; index: number }[] = []
  /** First two letters of the terms, so that most words of a text need not be looked up. */
  #beginnings = new Uint8Array(ASCII * ASCII)

  /** @param forms other forms of each term, which are found as the term */
  constructor(terms: readonly string[], forms: readonly (readonly string[])[] = []) {
    for (const [index, term] of terms.entries()) this.#add(term, index)
    for (const [index, others] of forms.entries()) for (const form of others) this.#add(form, index)
  }

  /** Finds matches in the order of the text. */
  find(text: string): TermMatch[] {
    return this.findAmongWords(text).matches
  }

  /** Matches as `find` gives them, and how many words the text has, stop words included. */
  findAmongWords(text: string): { matches: TermMatch[]; words: number } {
    const matches: TermMatch[] = []
    let position = 0
    forEachSpan(text, (start, end, unspaced) => {
      if (unspaced) {
        this.#findUnspaced(text.slice(start, end), position, matches)
        position += Math.ceil((end - start) / UNSPACED_CHARACTERS_PER_WORD)
        return
      }
      // Letters beyond ASCII may have been folded into it.
      const beginning = beginningAt(text, start, end)
      if (beginning === undefined || this.#beginnings[beginning] === 1) {
        const term = this.#spaced.get(termOf(text.slice(start, end)))
        if (term !== undefined) matches.push({ term, position })
      }
      position += 1
    })
    return { matches, words: position }
  }

  #add(term: string, index: number): void {
    if (hasUnspaced(term)) this.#unspaced.push({ term, index })
    else if (!this.#spaced.has(term)) this.#spaced.set(term, index)
    this.#addBeginning(term)
  }

  #addBeginning(term: string): void {
    // A stem keeps the first two letters of its words, but for "lying" and "lie".
    for (const start of term[1] === 'i' ? [term, `${term[0]}y`] : [term]) {
      const beginning = beginningAt(start, 0, start.length)
      if (beginning !== undefined) this.#beginnings[beginning] = 1
    }
  }

  #findUnspaced(run: string, position: number, matches: TermMatch[]): void {
    const found: TermMatch[] = []
    for (const { term, index } of this.#unspaced) {
      for (let at = run.indexOf(term); at >= 0; at = run.indexOf(term, at + term.length)) {
        found.push({ term: index, position: position + at / UNSPACED_CHARACTERS_PER_WORD })
      }
    }
    matches.push(...found.sort((a, b) => a.position - b.position))
  }
}

/** The first two characters of a word as one number, letters in lower case; undefined if one is not ASCII. */
function beginningAt(text: string, start: number, end: number): number | undefined {
  const first = text.charCodeAt(start)
  const second = end > start + 1 ? text.charCodeAt(start + 1) : 0
  if (first >= ASCII || second >= ASCII) return undefined
  return (first | LOWER_CASE_BIT) * ASCII + (second | LOWER_CASE_BIT)
}
