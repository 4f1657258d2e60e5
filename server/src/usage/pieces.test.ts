import { expect, test } from 'vitest'
import { countDays, daysBetween, daysOfThird, lastOfMonth, thirdOf } from './days.ts'
import { dayPieces, type Piece, peopleDayPieces, peoplePieces } from './pieces.ts'

const today = '2026-11-22'

/** How often each day is counted. */
function daysIn(pieces: Piece[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { unit, from, to, sign } of pieces) {
    const first = unit === 'day' ? from : unit === 'month' ? `${from}-01` : daysOfThird(from).first
    const last = unit === 'day' ? to : unit === 'month' ? lastOfMonth(`${to}-01`) : daysOfThird(to).last
    for (const day of daysBetween(first, last)) counts.set(day, (counts.get(day) ?? 0) + sign)
  }
  return counts
}

const lengthOf = (pieces: Piece[], unit: Piece['unit']) =>
  pieces.filter((piece) => piece.unit === unit).reduce((sum, { from, to }) => sum + countDays(from, to), 0)

test.each([
  ['2026-11-22', '2026-11-22'],
  ['2026-10-24', '2026-11-22'],
  ['2026-10-04', '2026-11-22'],
  ['2026-10-04', '2026-10-28'],
  ['2026-10-10', '2026-10-12'],
  ['2026-10-01', '2026-10-11'],
  ['2025-11-22', '2026-11-22'],
  ['2025-12-31', '2026-03-01'],
  ['2024-02-01', '2024-02-29'],
  ['2024-02-12', '2024-03-19'],
  ['2026-11-01', '2026-11-20'],
  ['2026-11-02', '2026-11-21'],
  ['2026-11-20', '2026-12-05'],
])('from %s to %s each day counts once and no other does', (from, to) => {
  for (const pieces of [dayPieces(from, to), peopleDayPieces(from, to), peoplePieces(from, to, today)]) {
    const counts = [...daysIn(pieces)].filter(([day, count]) => count !== 0 && day <= today)
    const wanted = daysBetween(from, to < today ? to : today)
    expect(counts.sort()).toEqual(wanted.map((day) => [day, 1]))
  }
})

test('every day is in its third', () => {
  for (const day of daysBetween('2024-01-01', '2024-12-31')) {
    const { first, last } = daysOfThird(thirdOf(day))
    expect([first <= day, day <= last, thirdOf(first) === thirdOf(last)]).toEqual([true, true, true])
  }
})

test('days of people are read five at a time', () => {
  for (const { from, to } of peopleDayPieces('2026-01-01', '2026-01-31'))
    expect(countDays(from, to)).toBeLessThanOrEqual(5)
})

test('a month up to today, or a year, holds at most five days of people at each end', () => {
  for (const { from, to } of rangesOf(30)) expect(lengthOf(peoplePieces(from, to, to), 'day')).toBeLessThanOrEqual(5)
  for (const { from, to } of rangesOf(345))
    expect(lengthOf(peoplePieces(from, to, today), 'day')).toBeLessThanOrEqual(10)
})

const rangesOf = (days: number) =>
  daysBetween('2024-12-01', '2025-02-28').map((from) => ({ from, to: daysBetween(from, '2026-11-01')[days - 1]! }))

test('what follows one another is read together, up to a year at a time', () => {
  expect(peoplePieces('2024-12-11', '2026-01-20', today).map(({ from, to }) => `${from} ${to}`)).toEqual([
    '2024-12/2 2024-12/3',
    '2025-01 2025-12',
    '2026-01/1 2026-01/2',
  ])
})

test('of the present third nothing is taken off again, for it grows', () => {
  const signs = peoplePieces('2026-11-22', '2026-11-29', '2026-11-27').map(({ unit, sign }) => `${sign} ${unit}`)
  expect(signs).toEqual(['1 day', '1 day'])
})
