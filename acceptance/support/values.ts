import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'

export const ID = /^[0-9a-f]{24}$/
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const anId = expect.stringMatching(ID)
export const aTime = expect.stringMatching(TIME)

/** An id that nothing has. */
export const freshId = (): string => randomBytes(12).toString('hex')

/** A name that nobody used before. */
export const unique = (word = 'thing'): string => `${word} ${randomBytes(6).toString('hex')}`
export const uniqueEmail = (): string => `Person.${randomBytes(6).toString('hex')}@Example.com`

/** Ids that no resource can have, by what is wrong with them; each is a 404 in a path. */
export const malformedIds: [what: string, id: string][] = [
  ['too short', '123'],
  ['not hexadecimal', 'zzzzzzzzzzzzzzzzzzzzzzzz'],
  ['too long', 'a'.repeat(25)],
]
