import { addDays, countDays, daysOfThird, firstOfMonth, lastOfMonth, monthOf, thirdOf } from './days.ts'

/** A stretch of days, months or thirds of months whose sums are added to a total, or taken from it. */
export interface Piece {
  unit: 'day' | 'third' | 'month'
  /** The first and the last period. */
  from: string
  to: string
  sign: 1 | -1
}

interface Days {
  first: string
  last: string
}

/**
 * Most days read at once, so that it does not hold up the event loop: fewer where each person has rows of their own.
 */
const MOST_DAYS = 31
const MOST_OF_PEOPLE = { day: 5, third: 6, month: 12 }

export const dayPieces = (from: string, to: string): Piece[] => piecesOf({ first: from, last: to }, MOST_DAYS)

/** Pieces for the sums of virtual users, where only those by day will do. */
export const peopleDayPieces = (from: string, to: string): Piece[] => piecesOf({ first: from, last: to })

function piecesOf({ first, last }: Days, most = MOST_OF_PEOPLE.day, sign: Piece['sign'] = 1): Piece[] {
  const pieces: Piece[] = []
  for (let from = first; from <= last; from = addDays(from, most)) {
    const to = addDays(from, most - 1)
    pieces.push({ unit: 'day', from, to: to < last ? to : last, sign })
  }
  return pieces
}

/**
 * The days from the first to the last, of which there are sums by month and by third of a month, too, in few rows: what
 * is there as a whole is taken whole. So is a third of which most days are there, and the others are taken off again:
 * but not of the present one, whose sums grow while they are read.
 * @param today of which, and of later days, nothing comes after it
 */
export function peoplePieces(from: string, to: string, today: string): Piece[] {
  // The future has no rows.
  const isWhole = ({ first, last }: Days) => from <= first && (last <= to || (first <= today && today <= to))
  const pieces: Piece[] = []
  for (let start = from; start <= to; ) {
    const month = { first: firstOfMonth(start), last: lastOfMonth(start) }
    const third = daysOfThird(thirdOf(start))
    if (isWhole(month)) pieces.push(whole('month', monthOf(start)))
    else if (isWhole(third)) pieces.push(whole('third', thirdOf(start)))
    else pieces.push(...partOf(third, { first: start, last: to < third.last ? to : third.last }, today))
    start = addDays(isWhole(month) ? month.last : third.last, 1)
  }
  return joined(pieces)
}

const whole = (unit: Piece['unit'], period: string): Piece => ({ unit, from: period, to: period, sign: 1 })

function partOf(third: Days, part: Days, today: string): Piece[] {
  const isPresent = third.first <= today && today <= third.last
  const isMost = 2 * countDays(part.first, part.last) > countDays(third.first, third.last)
  if (isPresent || !isMost) return piecesOf(part)
  return [
    whole('third', thirdOf(third.first)),
    ...piecesOf({ first: third.first, last: addDays(part.first, -1) }, MOST_OF_PEOPLE.day, -1),
    ...piecesOf({ first: addDays(part.last, 1), last: third.last }, MOST_OF_PEOPLE.day, -1),
  ]
}

/** Months or thirds that follow one another become one piece. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = []
  let count = 0
  for (const piece of pieces) {
    const last = result.at(-1)
    if (last && last.unit === piece.unit && piece.unit !== 'day' && count < MOST_OF_PEOPLE[piece.unit]) {
      last.to = piece.to
      count++
    } else {
      result.push({ ...piece })
      count = 1
    }
  }
  return result
}
