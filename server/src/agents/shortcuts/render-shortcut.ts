import { ValidationError } from '../../platform/errors.ts'
import type { ShortcutField } from './shortcuts.schemas.ts'

export interface FieldValue {
  field_name: string
  field_value: string | number
}

const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g

/** Names of the places in a prompt, each once. */
export const placeholdersIn = (prompt: string): string[] => [
  ...new Set([...prompt.matchAll(PLACEHOLDER)].map(([, name]) => name!)),
]

/**
 * The prompt with the values in their places; a field that was left out leaves its place empty. Values are put in as
 * they are: a place inside a value stays text.
 * @throws ValidationError that names the field: unknown, missing, given twice, not a number, not one of the options.
 */
export function renderShortcut(
  { prompt, fields }: { prompt: string; fields: ShortcutField[] },
  values: FieldValue[],
): string {
  const known = new Map(fields.map((field) => [field.name, field]))
  const given = new Map<string, string>()
  for (const { field_name, field_value } of values) {
    const field = known.get(field_name)
    if (!field) refuse(field_name, 'is not a field of this shortcut')
    if (given.has(field_name)) refuse(field_name, 'is given twice')
    given.set(field_name, readValue(field, field_value))
  }
  for (const { name, required } of fields) if (required && !given.get(name)?.trim()) refuse(name, 'is required')
  return prompt.replaceAll(PLACEHOLDER, (_, name: string) => given.get(name) ?? '')
}

function readValue({ name, type, options }: ShortcutField, value: string | number): string {
  const text = String(value)
  if (type === 'number' && (text.trim() === '' || !Number.isFinite(Number(text)))) refuse(name, 'must be a number')
  if (type === 'select' && text !== '' && !options.includes(text)) refuse(name, `must be one of: ${options.join(', ')}`)
  return text
}

function refuse(field: string, message: string): never {
  throw new ValidationError(`${field}: ${message}`, [{ path: `shortcut_fields_with_values.${field}`, message }])
}
