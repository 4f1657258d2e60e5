import { z } from 'zod'
import { isStorable } from '../../../platform/http/bodies/json-body.ts'
import { foldCase } from '../../../platform/text/text.ts'

const MOST_KEYS = 50
const MOST_ITEMS = 50
const MOST_BYTES = 16_384

const Key = z
  .string()
  .min(1)
  .max(64, 'must have at most 64 characters')
  .refine((key) => key.trim() === key && isStorable(key), 'must not begin or end with a space')
const Text = z
  .string()
  .max(500, 'must have at most 500 characters')
  .refine(isStorable, 'holds a character that cannot be stored')
const Plain = z.union([Text, z.number(), z.boolean()])

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

const comparable = (value: PlainValue): boolean => kindOf(value).kind === 'number' || kindOf(value).kind === 'date'

const Ordered = z.union([Text, z.number()]).refine(comparable, 'must be a number or a date to be compared with')

const Condition = z.discriminatedUnion('op', [
  z.strictObject({ key: Key, op: z.enum(['eq', 'ne']), value: Plain }),
  z.strictObject({ key: Key, op: z.literal('in'), value: z.array(Plain).min(1).max(100) }),
  z.strictObject({ key: Key, op: z.enum(['gt', 'gte', 'lt', 'lte']), value: Ordered }),
  z.strictObject({ key: Key, op: z.literal('exists'), value: z.boolean().default(true) }),
])
export type FileCondition = z.infer<typeof Condition>

const Conditions = z.array(Condition).min(1).max(20, 'must have at most 20 conditions')

export const FileFilter = z
  .strictObject({ all: Conditions.optional(), any: Conditions.optional() })
  .refine(({ all, any }) => all !== undefined || any !== undefined, 'must have all or any, with conditions')
  .meta({
    id: 'FileFilter',
    description:
      'Files whose metadata meets `all` of these conditions, or `any` of them; with both, both count. Case does not count in texts; of a list, one item is enough; `ne` also finds files without the key; `gt`, `gte`, `lt` and `lte` compare numbers and dates; `exists` with false finds files without the key',
  })
export type FileFilter = z.infer<typeof FileFilter>

/** A filter as JSON, for the query of a URL. */
export const FileFilterQuery = z
  .string()
  .max(16_384)
  .transform((text, context) => {
    const json = jsonOf(text)
    if (json === undefined) {
      context.addIssue({ code: 'custom', message: 'is not valid JSON' })
      return z.NEVER
    }
    const read = FileFilter.safeParse(json)
    if (read.success) return read.data
    for (const { path, message } of read.error.issues)
      context.addIssue({ code: 'custom', message: [path.join('.'), message].filter(Boolean).join(' ') })
    return z.NEVER
  })
  .meta({ description: 'A FileFilter as JSON, for instance {"all":[{"key":"year","op":"gte","value":2025}]}' })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
  const at = DATE.test(value)
    ? Date.parse(/T.*(Z|[+-]\d\d:\d\d)$|^[^T]*$/.test(value) ? value : `${value}Z`)
    : Number.NaN
  if (!Number.isNaN(at)) return { kind: 'date', text: null, number: at }
  return { kind: 'text', text: foldCase(value).slice(0, 500), number: null }
}
