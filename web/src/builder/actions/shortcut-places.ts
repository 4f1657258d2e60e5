import type { ShortcutField } from '@docent/sdk'
import { t } from '@lingui/core/macro'

const PLACE = /\{\{\s*([\w-]+)\s*\}\}/g

/** Pattern of valid field names. */
export const FIELD_NAME = /^[A-Za-z_][\w-]{0,63}$/

/** Names of the placeholders in a prompt, without repeats. */
export const placesIn = (prompt: string): string[] => [...new Set([...prompt.matchAll(PLACE)].map(([, name]) => name!))]

export const newField = (name: string): ShortcutField => ({ name, type: 'text', required: false, options: [] })

/** Fields of a shortcut, with one of text for each placeholder that has none. */
export const withPlaces = (fields: ShortcutField[], places: string[]): ShortcutField[] => [
  ...fields,
  ...places.filter((place) => !fields.some(({ name }) => name === place)).map(newField),
]

/** Removes a placeholder from a prompt. */
export const withoutPlace = (prompt: string, place: string): string =>
  prompt.replaceAll(PLACE, (whole, name: string) => (name === place ? '' : whole))

/** Splits the prompt into text and placeholders with their values. */
export function filledIn(prompt: string, values: Record<string, string>): { text: string; place: string | null }[] {
  const pieces: { text: string; place: string | null }[] = []
  let end = 0
  for (const match of prompt.matchAll(PLACE)) {
    if (match.index > end) pieces.push({ text: prompt.slice(end, match.index), place: null })
    pieces.push({ text: values[match[1]!] ?? '', place: match[1]! })
    end = match.index + match[0].length
  }
  if (end < prompt.length) pieces.push({ text: prompt.slice(end), place: null })
  return pieces
}

/** Reason why the server would refuse these fields; null if it would not. */
export function fieldProblem(fields: ShortcutField[]): string | null {
  const names = fields.map(({ name }) => name)
  const odd = names.find((name) => !FIELD_NAME.test(name))
  if (odd !== undefined) return t`“${odd}” cannot be the name of a field: letters, digits, _ and -, a letter first.`
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return t`Two fields are called “${twice}”.`
  const empty = fields.find(({ type, options }) => type === 'select' && options.length === 0)
  return empty ? t`“${empty.name}” is a choice: it needs at least one option.` : null
}
