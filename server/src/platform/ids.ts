import { randomBytes } from 'node:crypto'

export type NewId = () => string

const LARGEST_COUNTER = 0xffffff

/**
 * Makes identifiers as long as an ObjectId and like one with the seconds in their first 4 bytes, as 24 lower-case hex
 * characters. After the seconds come the milliseconds (12 bits), 28 random bits a process and a 3-byte counter: so they
 * sort by creation time also when several processes make them, as far as the clocks of these agree.
 */
export function createIds(now: () => number = Date.now, count: number = randomBytes(3).readUIntBE(0, 3)): NewId {
  const processPart = randomBytes(4).toString('hex').slice(1)
  let counter = count
  let time = -1
  return () => {
    // A clock that steps back must not make ids that sort before earlier ones.
    time = Math.max(time, Math.floor(now()))
    // Nor must a counter that begins again: from there on the ids are a millisecond ahead of the clock.
    if (++counter > LARGEST_COUNTER) {
      counter = 0
      time++
    }
    const seconds = Math.floor(time / 1000)
    const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
    return hex(seconds, 8) + hex(time - seconds * 1000, 3) + processPart + hex(counter, 6)
  }
}

export const isId = (value: string): boolean => /^[0-9a-f]{24}$/.test(value)
