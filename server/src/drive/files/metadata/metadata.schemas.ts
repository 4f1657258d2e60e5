import { z } from 'zod'
import { isStorable } from '../../../platform/http/bodies/json-body.ts'
import { foldCase } from '../../../platform/text/text.ts'

const MOST_KEYS = 50
const MOST_ITEMS = 50
const MOST_BYTES = 16_384

export const Key = z
  .string()
  .min(1)
  .max(64, 'must have at most 64 characters')
  .refine((key) => key.trim() === key && isStorable(key), 'must not begin or end with a space')
export const Text = z
  .string()
  .max(500, 'must have at most 500 characters')
  .refine(isStorable, 'holds a character that cannot be stored')
export const Plain = z.union([Text, z.number(), z.boolean()])

const MetadataValue = z.union([Plain, z.array(Plain)])

export const FileMetadata = z
  .record(Key, MetadataValue)
  .refine((metadata) => Object.keys(metadata).length <= MOST_KEYS, `must have at most ${MOST_KEYS} keys`)
  .refine(
    (metadata) => Object.values(metadata).every((value) => !Array.isArray(value) || value.length <= MOST_ITEMS),
    `must have at most ${MOST_ITEMS} items in a list`,
  )
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= MOST_BYTES, 'must have at most 16 KiB as JSON')
  .meta({
    id: 'FileMetadata',
    description:
      'Facts about a file that filters find it by: texts, numbers, true and false, and lists of these. A text of the form `2026-03-31` or `2026-03-31T09:30:00Z` is a date',
  })
export type FileMetadata = z.infer<typeof FileMetadata>
export type PlainValue = z.infer<typeof Plain>

export interface StoredValue {
  kind: 'text' | 'number' | 'boolean' | 'date'
  /** Lower case. */
  text: string | null
  /** A number, 0 or 1, or milliseconds since 1970. */
  number: number | null
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/

/** A value in the form that is compared. */
export function kindOf(value: PlainValue): StoredValue {
  if (typeof value === 'number') return { kind: 'number', text: null, number: value }
  if (typeof value === 'boolean') return { kind: 'boolean', text: null, number: value ? 1 : 0 }
  const at = DATE.test(value) ? timeOf(value) : Number.NaN
  if (!Number.isNaN(at)) return { kind: 'date', text: null, number: at }
  return { kind: 'text', text: foldCase(value).slice(0, 500), number: null }
}

/** Milliseconds since 1970 of a date or a time, which without a zone is one of UTC; NaN for a day that no month has. */
function timeOf(value: string): number {
  const day = value.slice(0, 10)
  // Date.parse takes 30 February for 2 March.
  const midnight = Date.parse(day)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return Number.NaN
  return Date.parse(/T.*(Z|[+-]\d\d:\d\d)$|^[^T]*$/.test(value) ? value : `${value}Z`)
}
