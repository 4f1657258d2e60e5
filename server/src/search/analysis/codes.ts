import { termOf } from './analysis.ts'

/** A part number or another code of a question, and how else it may be written. */
export interface Code {
  /** Its terms. */
  terms: string[]
  /** Other ways to write it: without its signs, and with one wherever letters and digits meet. */
  others: { text: string; terms: string[] }[]
}

const CODE = /[\p{L}\p{N}]+(?:[-./_][\p{L}\p{N}]+)*/gu
const HAS_LETTER = /\p{L}/u
const HAS_DIGIT = /\p{N}/u
const WORDS = /[\p{L}\p{N}]+/gu
const LETTERS_OR_DIGITS = /\p{L}+|\p{N}+/gu

/** Codes in a question: what has letters and digits. The index splits passages at signs, and not between the two. */
export function codesIn(text: string): Code[] {
  return (text.match(CODE) ?? [])
    .filter((code) => HAS_LETTER.test(code) && HAS_DIGIT.test(code))
    .map((code) => {
      const words = code.match(WORDS) ?? []
      const ways = [[words.join('')], code.match(LETTERS_OR_DIGITS) ?? []]
      const others = ways.map((way) => ({ text: way.join(' '), terms: way.map(termOf) }))
      const terms = words.map(termOf)
      const isOther = (way: string[]) => way.every(Boolean) && way.join(' ') !== terms.join(' ')
      return { terms, others: others.filter((other) => isOther(other.terms)) }
    })
    .filter(({ terms, others }) => terms.every(Boolean) && others.length > 0)
}
