import { randomInt } from 'node:crypto'

/** Consonants that are not confused with one another, so that no code is a word (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** A new code of eight letters, 34 bits: `BCDF-GHJK`. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]!)
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** Code as a person typed it, in the form in which it is stored: without what is between the letters. */
export const plainUserCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '')
