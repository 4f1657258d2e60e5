import { z } from 'zod'
import { Key, kindOf, Plain, type PlainValue, Text } from './metadata.schemas.ts'

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
