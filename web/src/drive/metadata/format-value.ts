import { t } from '@lingui/core/macro'
import { formatExactTime, formatList } from '../../platform/format.ts'
import { LOCALES } from '../../platform/language.ts'
import { kindOf, type MetadataValue, timeOf, type ValueKind } from './values.ts'

// Years are numbers here, too: four digits are not grouped.
const number = new Intl.NumberFormat(LOCALES, { maximumFractionDigits: 20, useGrouping: 'min2' })
const day = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a value of metadata: `12,345.6`, `31 Mar 2026`, `Yes`, `a, b and c`. */
export function formatValue(value: MetadataValue): string {
  if (Array.isArray(value)) return value.length === 0 ? t`nothing` : formatList(value.map(formatValue))
  if (typeof value === 'number') return number.format(value)
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  const kind = kindOf(value)
  if (kind === 'date') return day.format(new Date(value))
  return kind === 'time' ? formatExactTime(new Date(timeOf(value)).toISOString()) : value
}

/** Names of the kinds of values. */
export const kindNames = (): Record<ValueKind, string> => ({
  text: t`Text`,
  number: t`Number`,
  date: t`Date`,
  time: t`Date and time`,
  boolean: t`Yes or no`,
  list: t`List`,
  numbers: t`List of numbers`,
})
