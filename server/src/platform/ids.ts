import { randomBytes } from 'node:crypto'

export type NewId = () => string

const LARGEST_COUNTER = 0xffffff

/**
 * Makes identifiers in the ObjectId layout (BSON specification: 4 bytes of seconds, 5 random bytes a process, a
 * 3-byte counter), as 24 lower-case hex characters: they sort by creation time.
 */
export function createIds(now: () => number = Date.now, count: number = randomBytes(3).readUIntBE(0, 3)): NewId {
  const processPart = randomBytes(5).toString('hex')
  let counter = count
  let second = -1
  return () => {
    // A clock that steps back must not make ids that sort before earlier ones.
    second = Math.max(second, Math.floor(now() / 1000))
    // Nor must a counter that begins again: from there on the ids are a second ahead of the clock.
    if (++counter > LARGEST_COUNTER) {
      counter = 0
      second++
    }
    return second.toString(16).padStart(8, '0') + processPart + counter.toString(16).padStart(6, '0')
  }
}

export const isId = (value: string): boolean => /^[0-9a-f]{24}$/.test(value)
