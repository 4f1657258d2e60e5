import { expect, test } from 'vitest'
import { countDays, daysBetween, lastOfMonth } from './days.ts'
import { dayPieces, monthPieces, type Piece } from './pieces.ts'

/** How often each day is counted. */
function daysIn(pieces: Piece[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { unit, from, to, sign } of pieces) {
    const days = unit === 'day' ? daysBetween(from, to) : daysBetween(`${from}-01`, lastOfMonth(`${to}-01`))
    for (const day of days) counts.set(day, (counts.get(day) ?? 0) + sign)
  }
  return counts
}

const today = '2026-11-22'

test.each([
  ['2026-11-22', '2026-11-22'],
  ['2026-10-24', '2026-11-22'],
  ['2026-10-04', '2026-11-22'],
  ['2026-10-04', '2026-10-28'],
  ['2026-10-10', '2026-10-12'],
  ['2025-11-22', '2026-11-22'],
  ['2025-12-31', '2026-03-01'],
  ['2024-02-01', '2024-02-29'],
  ['2026-11-01', '2026-11-20'],
  ['2026-11-02', '2026-11-21'],
  ['2026-11-20', '2026-12-05'],
])('from %s to %s each day counts once and no other does', (from, to) => {
  for (const pieces of [dayPieces(from, to, 'day'), monthPieces(from, to, today)]) {
    const counts = [...daysIn(pieces)].filter(([day, count]) => count !== 0 && day <= today)
    const wanted = daysBetween(from, to < today ? to : today)
    expect(counts.sort()).toEqual(wanted.map((day) => [day, 1]))
  }
})

test('days come in pieces of a week', () => {
  const pieces = dayPieces('2026-01-01', '2026-01-31', 'personDay')
  for (const { from, to } of pieces) expect(countDays(from, to)).toBeLessThanOrEqual(7)
})

test('a year is made of months and at most half of one at its ends', () => {
  const days = monthPieces('2025-11-15', '2026-11-15', '2027-01-01').filter(({ unit }) => unit === 'day')
  const counted = days.reduce((sum, { from, to }) => sum + countDays(from, to), 0)
  expect(counted).toBeLessThanOrEqual(30)
})

test('months that follow one another are read half a year at a time', () => {
  expect(monthPieces('2025-01-01', '2026-03-31', today).map(({ from, to }) => `${from} ${to}`)).toEqual([
    '2025-01 2025-06',
    '2025-07 2025-12',
    '2026-01 2026-03',
  ])
})

test('of the present month nothing is taken off again, for it grows', () => {
  expect(monthPieces('2026-11-02', '2026-11-22', today).map(({ unit, sign }) => [unit, sign])).toEqual([
    ['day', 1],
    ['day', 1],
    ['day', 1],
  ])
})
