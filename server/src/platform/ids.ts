import { randomFillSync } from 'node:crypto'

export type NewId = () => string

/** Parts of a second that ids tell apart: 16 bits, about 15 microseconds each. */
const TICKS_PER_SECOND = 0x10000
const RANDOM_BYTES = 6

/**
 * Makes identifiers as long as an ObjectId and like one with the seconds in their first 4 bytes, as 24 lower-case hex
 * characters. After the seconds come 16 bits of the part of the second and 48 random bits of each id alone, so that who
 * knows some ids cannot guess others. Those of one process sort in the order of their making; those of several sort by
 * the millisecond, as far as the clocks of these agree.
 */
export function createIds(now: () => number = Date.now): NewId {
  const takeRandom = randomHex()
  let lastTick = -1
  return () => {
    // Neither a clock that steps back nor many ids of one instant may make one that sorts before an earlier one.
    lastTick = Math.max(Math.floor((now() / 1000) * TICKS_PER_SECOND), lastTick + 1)
    return lastTick.toString(16).padStart(12, '0') + takeRandom()
  }
}

/** Random bytes for many ids at once: one call for each would take longer than all the rest. */
function randomHex(): () => string {
  const pool = Buffer.alloc(RANDOM_BYTES * 256)
  let taken = pool.length
  return () => {
    if (taken === pool.length) {
      randomFillSync(pool)
      taken = 0
    }
    return pool.toString('hex', taken, (taken += RANDOM_BYTES))
  }
}

export const isId = (value: string): boolean => /^[0-9a-f]{24}$/.test(value)
