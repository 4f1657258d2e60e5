import { addDays, countDays, firstOfMonth, lastOfMonth, monthOf } from './days.ts'

/** A stretch of days or of months whose sums are added to a total, or taken from it. */
export interface Piece {
  unit: 'day' | 'month'
  from: string
  to: string
  sign: 1 | -1
}

/** Days in pieces that do not hold up the event loop, however many rows a day has. */
const MOST_DAYS = 7

export function dayPieces(from: string, to: string, sign: Piece['sign'] = 1): Piece[] {
  const pieces: Piece[] = []
  for (let start = from; start <= to; start = addDays(start, MOST_DAYS)) {
    const end = addDays(start, MOST_DAYS - 1)
    pieces.push({ unit: 'day', from: start, to: end < to ? end : to, sign })
  }
  return pieces
}

/**
 * The days from the first to the last in as few rows as possible where there are sums by month, too. A month that is
 * there for the greater part is taken whole, and the days outside are taken off again: not of the present month, whose
 * sums grow while they are read.
 * @param today of which, and of later days, nothing comes after it
 */
export function monthPieces(from: string, to: string, today: string): Piece[] {
  const pieces: Piece[] = []
  for (let start = from; start <= to; ) {
    const first = firstOfMonth(start)
    const last = lastOfMonth(start)
    const end = to < last ? to : last
    // What is yet to come has no rows.
    const isToTheEnd = end === last || (end >= today && monthOf(end) === monthOf(today))
    const inside = countDays(start, end)
    const outside = countDays(first, last) - inside
    const isWhole = start === first && isToTheEnd
    if (isWhole || (outside < inside && monthOf(start) !== monthOf(today))) {
      pieces.push({ unit: 'month', from: monthOf(start), to: monthOf(start), sign: 1 })
      if (!isWhole) pieces.push(...dayPieces(first, addDays(start, -1), -1), ...dayPieces(addDays(end, 1), last, -1))
    } else pieces.push(...dayPieces(start, end))
    start = addDays(last, 1)
  }
  return pieces
}
