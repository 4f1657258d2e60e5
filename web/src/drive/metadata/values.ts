import type { FileMetadata } from '@docent/sdk'

export type MetadataValue = FileMetadata[string]
export type PlainValue = Exclude<MetadataValue, unknown[]>

export const VALUE_KINDS = ['text', 'number', 'date', 'time', 'boolean', 'list', 'numbers'] as const
export type ValueKind = (typeof VALUE_KINDS)[number]

/** Value in the form that fields edit. */
export interface EditedValue {
  kind: ValueKind
  /** Text of the field, as the browser's fields for numbers and dates write it; `true`, `false` or `` for a boolean. */
  text: string
  /** Items of a list. */
  items: string[]
}

export const NO_VALUE: EditedValue = { kind: 'text', text: '', items: [] }

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/

/** Kind of a value, by the server's rules: a text that reads as a date is one. */
export function kindOf(value: MetadataValue): ValueKind {
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => typeof item === 'number') ? 'numbers' : 'list'
  if (typeof value !== 'string') return typeof value === 'number' ? 'number' : 'boolean'
  if (Number.isNaN(Date.parse(value))) return 'text'
  return DAY.test(value) ? 'date' : TIME.test(value) ? 'time' : 'text'
}

/** Time of a value of that kind in milliseconds since 1970. Without a zone it is in UTC. */
export const timeOf = (value: string): number => Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`)

export function toEdited(value: MetadataValue): EditedValue {
  const kind = kindOf(value)
  if (Array.isArray(value)) return { kind, text: '', items: value.map(String) }
  return { kind, text: kind === 'time' ? toLocalTime(timeOf(String(value))) : String(value), items: [] }
}

/** Text for a field of date and time, in the browser's time zone. */
function toLocalTime(time: number): string {
  const at = new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString()
  return at.endsWith(':00.000Z') ? at.slice(0, 16) : at.slice(0, 19)
}

/**
 * Value of what was edited; undefined while a field of another kind than text is empty.
 * @param before value that was there: one that was not edited is returned as it is
 */
export function toValue(edited: EditedValue, before?: MetadataValue): MetadataValue | undefined {
  if (before !== undefined && isSame(edited, toEdited(before))) return before
  const { kind, text, items } = edited
  if (kind === 'numbers') return items.map(Number)
  if (kind === 'list') {
    // Items that were numbers, true or false stay so.
    const known = Array.isArray(before) ? before : []
    return items.map((item) => known.find((other) => String(other) === item) ?? item)
  }
  if (kind === 'text') return text
  if (text === '') return undefined
  if (kind === 'number') return Number(text)
  if (kind === 'boolean') return text === 'true'
  return kind === 'time' ? new Date(text).toISOString() : text
}

/** Whether a kind has items. */
export const isListKind = (kind: ValueKind): boolean => kind === 'list' || kind === 'numbers'

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
