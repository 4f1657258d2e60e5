import { randomInt } from 'node:crypto'
import { hashApiKey } from '../../access/access.ts'

const COUNT = 10
/** Alphabet without characters that are easily confused: 0 and o, 1 and l and i. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'
const GROUPS = 4
const PER_GROUP = 4

/** Ten codes of 79 bits: too many to guess, so a fast hash keeps them. @returns them as they are shown, with hyphens */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: PER_GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
    ).join('-'),
  )

/** @param code as it was typed: hyphens, blanks and case do not matter */
export const hashRecoveryCode = (code: string): string => hashApiKey(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
