import { addDays, countDays, firstOfMonth, lastOfMonth, monthOf } from './days.ts'

/** A stretch of days or of months whose sums are added to a total, or taken from it. */
export interface Piece {
  unit: 'day' | 'month'
  from: string
  to: string
  sign: 1 | -1
}

/** What is read at once, so that it does not hold up the event loop: days, days of all virtual users, and months. */
const MOST = { day: 31, personDay: 7, month: 6 }

export function dayPieces(from: string, to: string, most: 'day' | 'personDay', sign: Piece['sign'] = 1): Piece[] {
  const pieces: Piece[] = []
  for (let start = from; start <= to; start = addDays(start, MOST[most])) {
    const end = addDays(start, MOST[most] - 1)
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
  const days: Piece[] = []
  const months: string[] = []
  for (let start = from; start <= to; ) {
    const first = firstOfMonth(start)
    const last = lastOfMonth(start)
    const end = to < last ? to : last
    const isPresent = monthOf(start) === monthOf(today)
    // What is yet to come has no rows.
    const isWhole = start === first && (end === last || (isPresent && end >= today))
    const inside = countDays(start, end)
    const outside = countDays(first, last) - inside
    if (isWhole || (outside < inside && !isPresent)) {
      months.push(monthOf(start))
      if (!isWhole) {
        days.push(...dayPieces(first, addDays(start, -1), 'personDay', -1))
        days.push(...dayPieces(addDays(end, 1), last, 'personDay', -1))
      }
    } else days.push(...dayPieces(start, end, 'personDay'))
    start = addDays(last, 1)
  }
  return [...runsOf(months), ...days]
}

/** Months that follow one another, in pieces. */
function runsOf(months: string[]): Piece[] {
  const pieces: Piece[] = []
  let length = 0
  for (const month of months) {
    const piece = pieces.at(-1)
    const follows = piece && monthOf(addDays(lastOfMonth(`${piece.to}-01`), 1)) === month
    if (follows && length < MOST.month) {
      piece.to = month
      length++
    } else {
      pieces.push({ unit: 'month', from: month, to: month, sign: 1 })
      length = 1
    }
  }
  return pieces
}
