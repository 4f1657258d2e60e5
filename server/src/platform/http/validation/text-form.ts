import { z } from 'zod'
import { described } from './schemas.ts'

type Shape = Record<string, z.ZodType>
type Texts<S extends Shape> = { [Field in keyof S]: z.ZodOptional<z.ZodString> }

/**
 * Text form of a schema with plain fields, for a query string: shown as the fields are, while `valuesOfTexts` gives what
 * the schema itself checks.
 */
export function textForm<S extends Shape>(schema: z.ZodObject<S>): z.ZodObject<Texts<S>> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, textOf(field)])
  return z.object(Object.fromEntries(fields) as Texts<S>)
}

const textOf = (field: z.ZodType) =>
  z
    .string()
    .optional()
    .meta(described(shownAs(field)))

/** Null has no text: it is what a field is that is left out. */
function shownAs(field: z.ZodType): Record<string, unknown> {
  const inner = field instanceof z.ZodDefault ? field.unwrap() : field
  if (inner instanceof z.ZodNullable) return { type: 'string', description: field.meta()?.description }
  const { $schema: _, ...shown } = z.toJSONSchema(field, { io: 'input' })
  return shown
}

/** Digits become numbers and true and false booleans, where the schema has such; anything else stays text, for it to refuse. */
export function valuesOfTexts(schema: z.ZodObject<Shape>, texts: Record<string, string | undefined>) {
  const values = Object.entries(texts).map(([name, text]) => [name, valueOfText(schema.shape[name], text)])
  return Object.fromEntries(values) as Record<string, unknown>
}

function valueOfText(field: z.ZodType | undefined, text: string | undefined): unknown {
  const inner = field instanceof z.ZodDefault ? field.unwrap() : field
  if (text === undefined) return undefined
  if (inner instanceof z.ZodNumber && /^\d{1,15}$/.test(text)) return Number(text)
  if (inner instanceof z.ZodBoolean && /^(true|false|1|0)$/i.test(text))
    return text === '1' || text.toLowerCase() === 'true'
  return text
}
