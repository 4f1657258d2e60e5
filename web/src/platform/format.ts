import { t } from '@lingui/core/macro'
import { LANGUAGE, LOCALES } from './language.ts'

const UNITS = ['B', 'KB', 'MB', 'GB'] as const
const UNIT_NAMES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

const tenths = new Intl.NumberFormat(LOCALES, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat(LOCALES, { maximumFractionDigits: 0, useGrouping: false })

/** Formats bytes: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)), UNITS.length - 1)
  const value = bytes / 1000 ** step
  const digits = value < 10 && step > 0 ? 1 : 0
  if (LANGUAGE === 'en') return `${(digits ? tenths : whole).format(value)} ${UNITS[step]}`
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }
  return new Intl.NumberFormat(LOCALES, { ...options, style: 'unit', unit: UNIT_NAMES[step]! }).format(value)
}

const relative = new Intl.RelativeTimeFormat(LOCALES, { numeric: 'auto' })
const day = new Intl.DateTimeFormat(LOCALES, { day: 'numeric', month: 'short', year: 'numeric' })

/** Formats a time relative to now: `2 hours ago`, `yesterday`, `in 3 days`; a date if it is more than a week away. */
export function formatTime(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  const age = Math.abs(seconds)
  if (age < 45) return t`just now`
  if (age < 3_600) return relative.format(Math.round(seconds / 60), 'minute')
  if (age < 86_400) return relative.format(Math.round(seconds / 3_600), 'hour')
  // A full week from now is slightly less by the time it is shown.
  if (age < 7.5 * 86_400) return relative.format(Math.round(seconds / 86_400), 'day')
  return day.format(new Date(iso))
}

/** Formats a future time: `in 3 days`, `on Feb 20, 2027`; `now` once it has passed. */
export function formatDue(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  if (seconds <= 0) return t`now`
  if (seconds < 60) return t`in a moment`
  return seconds < 7.5 * 86_400 ? formatTime(iso, now) : t`on ${day.format(new Date(iso))}`
}

const exact = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'medium', timeStyle: 'medium' })

/** Formats a time in the browser's time zone: `Apr 10, 2026, 9:30:00 AM` or `10 Apr 2026, 09:30:00`. */
export const formatExactTime = (iso: string): string => exact.format(new Date(iso))

const month = new Intl.DateTimeFormat(LOCALES, { month: 'long', year: 'numeric' })
const shortDay = new Intl.DateTimeFormat(LOCALES, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats the month of a time: `April 2026`. */
export const formatMonth = (at: number): string => month.format(at)

/** Formats a day of UTC without its year: `Apr 10`. */
export const formatShortDay = (at: number | Date): string => shortDay.format(at)

const list = new Intl.ListFormat(LOCALES, { type: 'conjunction' })

/** Lists names: `Ada, Bob and Eve`. */
export const formatList = (names: string[]): string => list.format(names)

const number = new Intl.NumberFormat(LOCALES)
const shortNumber = new Intl.NumberFormat(LOCALES, { notation: 'compact', maximumFractionDigits: 1 })

/** Formats a number: `12,345`. */
export const formatNumber = (n: number): string => number.format(n)

/** Formats a number briefly: `12.3K`. */
export const formatShortNumber = (n: number): string => shortNumber.format(n)

const share = new Intl.NumberFormat(LOCALES, { style: 'percent' })

/** Formats a share of a whole: `34%`. */
export const formatShare = (part: number): string => share.format(part)

const DOLLARS = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
const dollars = new Intl.NumberFormat(LOCALES, DOLLARS)
const smallDollars = new Intl.NumberFormat(LOCALES, {
  ...DOLLARS,
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
})

/** Formats a price: `$12.50`; less than a cent with two significant digits. */
export const formatDollars = (value: number): string =>
  (value === 0 || value >= 0.01 ? dollars : smallDollars).format(value)

/** Formats a duration: `840 ms`, `2.4 s`, `3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return t`${Math.round(ms)} ms`
  if (ms < 60_000) return `${tenths.format(ms / 1_000)} s`
  return t`${Math.round(ms / 60_000)} min`
}

/** Shortens a text to `max` characters, cut between words. */
export function shorten(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const cut = line.slice(0, max)
  const end = cut.lastIndexOf(' ')
  return `${end > max / 2 ? cut.slice(0, end) : cut}…`
}

/** Turns the name of a file into a title: `travel-policy.md` into `Travel policy`. */
export function readableName(fileName: string): string {
  const words = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').replaceAll(/[-_]+/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Turns an identifier into words: `file_name` and `fileName` become `File name`. */
export function toWords(identifier: string): string {
  const words = identifier
    .replaceAll(/([a-z])([A-Z])(?![A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** A code within a sentence, as part of a key: left to right in any language, marks at its ends included. */
export const isolate = (code: string): string => `\u2066${code}\u2069`
