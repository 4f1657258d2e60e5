const DAY_MS = 86_400_000

/** `2026-01-31` of an ISO time or a date; UTC. */
export const dayOf = (iso: string): string => iso.slice(0, 10)
/** `2026-01` */
export const monthOf = (iso: string): string => iso.slice(0, 7)

/** `2026-01/1`, `/2` from the 11th on, `/3` from the 21st on. */
export const thirdOf = (iso: string): string =>
  `${monthOf(iso)}/${Math.min(3, Math.ceil(Number(iso.slice(8, 10)) / 10))}`

/** The first and the last day of a third. */
export function daysOfThird(third: string): { first: string; last: string } {
  const [month, number] = third.split('/') as [string, string]
  const last = number === '3' ? lastOfMonth(`${month}-01`) : `${month}-${number}0`
  return { first: `${month}-${Number(number) - 1}1`, last }
}

export const addDays = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(day) + days * DAY_MS).toISOString())

/** Days from the first to the last, both counted; 0 or less if they are the wrong way round. */
export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

export const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => addDays(from, index))

export const firstOfMonth = (day: string): string => `${monthOf(day)}-01`
export const lastOfMonth = (day: string): string => {
  const [year, month] = day.split('-').map(Number)
  return dayOf(new Date(Date.UTC(year!, month!, 0)).toISOString())
}

/** The day or the month that a time is in, and when the next one begins. */
export function periodOf(
  kind: 'day' | 'month',
  at: string,
): { period: string; from: string; to: string; endsAt: string } {
  const day = dayOf(at)
  const to = kind === 'day' ? day : lastOfMonth(day)
  return {
    period: kind === 'day' ? day : monthOf(day),
    from: kind === 'day' ? day : firstOfMonth(day),
    to,
    endsAt: `${addDays(to, 1)}T00:00:00.000Z`,
  }
}
