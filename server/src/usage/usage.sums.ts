import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '../db.ts'
import { dayPieces, type Piece, peopleDayPieces, peoplePieces } from './pieces.ts'
import { AMOUNTS, type Amounts, type SumKey, type SumRange, sumBy } from './usage.store.ts'

export type Sums = Map<string, Amounts>

export const nothing = (): Amounts => ({
  messages: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_micros: 0,
  unpriced_tokens: 0,
  audio_seconds: 0,
  unpriced_audio_seconds: 0,
})

export function add(total: Amounts, amounts: Amounts, sign: 1 | -1 = 1): void {
  total.messages += sign * amounts.messages
  total.input_tokens += sign * amounts.input_tokens
  total.cached_input_tokens += sign * amounts.cached_input_tokens
  total.output_tokens += sign * amounts.output_tokens
  total.reasoning_tokens += sign * amounts.reasoning_tokens
  total.cost_micros += sign * amounts.cost_micros
  total.unpriced_tokens += sign * amounts.unpriced_tokens
  total.audio_seconds += sign * amounts.audio_seconds
  total.unpriced_audio_seconds += sign * amounts.unpriced_audio_seconds
}

export function totalOf(all: Iterable<Amounts>): Amounts {
  const total = nothing()
  for (const amounts of all) add(total, amounts)
  return total
}

/** A total without its parts, never below 0: parts that were read a moment later may hold more. */
export function without(total: Amounts, parts: Amounts): Amounts {
  const rest = { ...total }
  add(rest, parts, -1)
  for (const amount of AMOUNTS) rest[amount] = Math.max(0, rest[amount])
  return rest
}

export const isNothing = (amounts: Amounts): boolean => AMOUNTS.every((amount) => amounts[amount] === 0)

/** Reads sums piece by piece, with a turn of the event loop between them: a year of a large workspace is a lot. */
export function createSums(db: Db, organizationId: string, workspaceId: string) {
  async function read(
    pieces: Piece[],
    by: SumKey,
    rangeOf: (piece: Piece) => Pick<SumRange, 'kind' | 'of'>,
  ): Promise<Sums> {
    const sums: Sums = new Map()
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await yieldToEventLoop()
      const range = { workspaceId, from: piece.from, to: piece.to, ...rangeOf(piece) }
      for (const { key, ...amounts } of await sumBy(db, organizationId, by, range)) {
        const sum = sums.get(key)
        if (sum) add(sum, amounts, piece.sign)
        else sums.set(key, piece.sign === 1 ? amounts : negated(amounts))
      }
    }
    return sums
  }

  return {
    /** Sums of everything, or of the messages of one virtual user. */
    ofDays(from: string, to: string, by: SumKey, of: NonNullable<SumRange['of']>): Promise<Sums> {
      const kind = of.virtual_user_id === undefined ? 'day' : 'person_day'
      return read(dayPieces(from, to), by, () => ({ kind, of }))
    },

    /** Sums of each virtual user. */
    async ofPeople(from: string, to: string, of: NonNullable<SumRange['of']>, today: string): Promise<Sums> {
      // The sums by month and by third tell nothing but the person.
      const isOfAll = Object.keys(of).length === 0
      const pieces = isOfAll ? peoplePieces(from, to, today) : peopleDayPieces(from, to)
      const people = await read(pieces, 'virtual_user_id', ({ unit }) => ({ kind: `person_${unit}`, of }))
      // Taken with a third and then off again with its days.
      for (const [id, amounts] of people) if (isNothing(amounts)) people.delete(id)
      return people
    },
  }
}

function negated(amounts: Amounts): Amounts {
  const result = nothing()
  add(result, amounts, -1)
  return result
}
