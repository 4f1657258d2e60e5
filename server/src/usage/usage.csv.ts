import type { UsageGroup } from './usage.schemas.ts'

/** Comma-separated values with a head line, as RFC 4180 has them; an empty field where there is nothing. */
export function toCsv(columns: (keyof UsageGroup)[], groups: UsageGroup[]): string {
  const lines = groups.map((group) => columns.map((column) => field(group[column])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function field(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  // A name that begins like a formula would be one in a spreadsheet.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
