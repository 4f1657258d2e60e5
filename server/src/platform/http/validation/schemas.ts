import { z } from 'zod'
import { withoutDirectionMarks } from '../../text/direction-marks.ts'
import { isStorable } from '../bodies/json-body.ts'

/** 24 lower-case hex characters. */
export const ObjectId = z
  .string()
  .regex(/^[0-9a-f]{24}$/, 'must have 24 hexadecimal characters, in lower case')
  .meta({ id: 'ObjectId', description: '24 hexadecimal characters', examples: ['6740a1b2c3d4e5f6a7b8c9d0'] })

export const Timestamp = z.iso
  .datetime()
  .meta({ id: 'Timestamp', description: 'ISO 8601, UTC, milliseconds', examples: ['2026-01-31T09:30:00.000Z'] })

/** Names and titles: without marks that turn text around, trimmed, not empty, no control characters, at most 256 characters. */
export const Name = z
  .string()
  .overwrite(withoutDirectionMarks)
  .trim()
  .min(1, 'must not be empty')
  .max(256, 'must have at most 256 characters')
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must not hold control characters')

/** Schema that the API description shows, instead of the text that a query string is made of. */
export const described = (schema: Record<string, unknown>) => ({ pattern: undefined, ...schema })

/** `true`/`false` in any case, or `1`/`0`. */
export const FlagQuery = z
  .string()
  .regex(/^(true|false|1|0)$/i, 'must be true or false')
  .transform((value) => value === '1' || value.toLowerCase() === 'true')
  .meta(described({ type: 'boolean' }))

export const BooleanQuery = (byDefault: boolean) =>
  FlagQuery.prefault(String(byDefault)).meta(described({ type: 'boolean' }))

/** A whole number written in digits. */
export const IntegerQuery = ({ min, max, byDefault }: { min: number; max: number; byDefault: number }) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
    .prefault(String(byDefault))
    .meta(described({ type: 'integer', minimum: min, maximum: max }))

export const TextQuery = (max = 256) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, 'holds a character that cannot be stored')

/** A comma-separated list of ids; blanks are skipped, at most 100. */
export const IdsQuery = z
  .string()
  .transform((value) => [
    ...new Set(
      value
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean),
    ),
  ])
  .refine((ids) => ids.length > 0, 'must name at least one id')
  .refine((ids) => ids.length <= 100, 'must name at most 100 ids')

export const Success = z.literal('success')

export const ErrorResponse = z
  .object({
    error_code: z.string(),
    message: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'ErrorBody', description: 'An error: its code, and in words what to change' })

/** Our own lists: `{data: {NAME: [...], total, page, page_size, has_more}}`. */
export const listOf = <N extends string, T extends z.ZodType>(name: N, item: T) =>
  z.object({
    data: z.object({
      [name]: z.array(item),
      total: z.number().int(),
      page: z.number().int(),
      page_size: z.number().int(),
      has_more: z.boolean(),
    } as { [K in N]: z.ZodArray<T> } & {
      total: z.ZodNumber
      page: z.ZodNumber
      page_size: z.ZodNumber
      has_more: z.ZodBoolean
    }),
  })

/** Paging of our own lists, as in the message history. */
export const PageQuery = {
  page: IntegerQuery({ min: 1, max: 1_000_000_000, byDefault: 1 }),
  page_size: IntegerQuery({ min: 1, max: 100, byDefault: 50 }),
}

/** The paging fields of a list's answer. */
export const pageOf = ({ page, page_size }: { page: number; page_size: number }, total: number) => ({
  total,
  page,
  page_size,
  has_more: page * page_size < total,
})

export const Deleted = z.object({ data: z.object({ deleted: z.literal(true) }) })

/** Path of a person's picture; null for one without. */
export const PictureUrl = z
  .string()
  .nullable()
  .meta({ description: 'Path of the picture, another one for each picture; null: initials stand for them' })

/** Languages of the web UI. */
export const Language = z.enum(['en', 'de', 'fr', 'es', 'ru', 'zh', 'ar']).meta({ id: 'Language' })
export type Language = z.infer<typeof Language>
