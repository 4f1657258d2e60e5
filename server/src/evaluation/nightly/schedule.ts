import { TOTALS, type TotalName, type Totals } from '../measures/totals.ts'

/** Bound of a measure, of whose crossing is told. */
export interface Alert {
  measure: TotalName
  /** Share that it must not be worse than. */
  limit: number | null
  /** How much worse than in the run before it may be. */
  drop: number | null
}

/** Nights of a question set. */
export interface Schedule {
  hour: number
  timeZone: string
  alerts: Alert[]
}

/** Alert that a run crossed. */
export interface Crossed extends Alert {
  value: number
  before: number | null
}

const QUARTER_MS = 900_000
/** Pause between runs, longer than a change of the clock, so that an hour that occurs twice in a night counts once. */
const PAUSE_MS = 3 * 3_600_000
const MOST_MS = 50 * 3_600_000

/**
 * The next time at which it is this hour there. An hour that a change of the clock leaves out is left out.
 * @param last the night before, if there was one
 */
export function nextNight({ hour, timeZone }: Pick<Schedule, 'hour' | 'timeZone'>, now: Date, last?: Date): Date {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const wanted = `${String(hour).padStart(2, '0')}:00`
  const from = Math.max(now.getTime() + 1, (last?.getTime() ?? 0) + PAUSE_MS)
  const first = Math.ceil(from / QUARTER_MS) * QUARTER_MS
  for (let at = first; at < first + MOST_MS; at += QUARTER_MS) if (clock.format(at) === wanted) return new Date(at)
  // No zone is without an hour two days in a row.
  return new Date(first + MOST_MS)
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

/** @param before sums of the run before it, if there is one */
export function crossedBy(alerts: readonly Alert[], totals: Totals, before: Totals | null | undefined): Crossed[] {
  return alerts.flatMap((alert) => {
    const value = totals.measures[alert.measure].value
    if (value === null) return []
    const was = before?.measures[alert.measure].value ?? null
    const isWorse = (than: number) => (alert.measure === 'declined_wrong' ? value > than + TINY : value < than - TINY)
    const allowed =
      was !== null && alert.drop !== null ? was + (alert.measure === 'declined_wrong' ? 1 : -1) * alert.drop : null
    const isCrossed = (alert.limit !== null && isWorse(alert.limit)) || (allowed !== null && isWorse(allowed))
    return isCrossed ? [{ ...alert, value, before: was }] : []
  })
}

/** Differences of this size are those of sums, not of answers. */
const TINY = 1e-9

export const valuesOf = ({ measures }: Totals): Record<string, number | null> =>
  Object.fromEntries(TOTALS.map((name) => [name, measures[name].value]))
