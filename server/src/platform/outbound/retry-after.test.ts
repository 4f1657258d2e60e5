import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-01-31T09:30:00.000Z')

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Sat, 31 Jan 2026 09:31:00 GMT', 60_000],
  ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
  ['-5', undefined],
  ['1.5', 1_500],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, expected) => expect(readRetryAfter(header, now)).toBe(expected))
