import { expect, test } from 'vitest'
import { TOTALS, type Totals } from '../measures/totals.ts'
import { type Alert, crossedBy, isTimeZone, nextNight } from './schedule.ts'

const at = (text: string) => new Date(text)

test.each([
  ['later today', 3, 'UTC', '2026-05-04T01:10:00Z', undefined, '2026-05-04T03:00:00Z'],
  ['tomorrow', 3, 'UTC', '2026-05-04T03:00:00Z', undefined, '2026-05-05T03:00:00Z'],
  ['in another zone', 3, 'Europe/Berlin', '2026-05-04T12:00:00Z', undefined, '2026-05-05T01:00:00Z'],
  ['with a quarter of an hour', 2, 'Asia/Kathmandu', '2026-05-04T12:00:00Z', undefined, '2026-05-04T20:15:00Z'],
  ['at midnight', 0, 'UTC', '2026-05-04T12:00:00Z', undefined, '2026-05-05T00:00:00Z'],
  [
    'once where the clock is put back',
    2,
    'Europe/Berlin',
    '2026-10-25T00:00:01Z',
    '2026-10-25T00:00:00Z',
    '2026-10-26T01:00:00Z',
  ],
  [
    'the day after where the clock is put forward',
    2,
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    undefined,
    '2026-03-30T00:00:00Z',
  ],
])('the next night is %s', (_what, hour, timeZone, now, last, next) => {
  expect(nextNight({ hour, timeZone }, at(now), last === undefined ? undefined : at(last))).toEqual(at(next))
})

test('only zones that there are count as such', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false])
})

test('a measure crosses its bound below it, and of what should be rare above it', () => {
  const totals = (share: number) =>
    ({ measures: Object.fromEntries(TOTALS.map((name) => [name, { value: share, cases: 1 }])) }) as unknown as Totals
  const crossed = (alert: Partial<Alert>, now: number, before?: number) =>
    crossedBy(
      [{ measure: 'quoted', limit: null, drop: null, ...alert }],
      totals(now),
      before === undefined ? undefined : totals(before),
    ).length
  expect([crossed({ limit: 0.8 }, 0.79), crossed({ limit: 0.8 }, 0.8)]).toEqual([1, 0])
  expect([crossed({ drop: 0.05 }, 0.84, 0.9), crossed({ drop: 0.05 }, 0.85, 0.9)]).toEqual([1, 0])
  expect(crossed({ drop: 0.05 }, 0.1)).toBe(0)
  const rare = { measure: 'declined_wrong' } as const
  expect([crossed({ ...rare, limit: 0.1 }, 0.2), crossed({ ...rare, limit: 0.1 }, 0.1)]).toEqual([1, 0])
  expect([crossed({ ...rare, drop: 0.1 }, 0.3, 0.1), crossed({ ...rare, drop: 0.1 }, 0.1, 0.3)]).toEqual([1, 0])
})
