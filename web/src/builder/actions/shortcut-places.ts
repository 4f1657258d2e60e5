import type { ShortcutField } from '@docent/sdk'

const PLACE = /\{\{\s*([\w-]+)\s*\}\}/g

/** Pattern of valid field names. */
export const FIELD_NAME = /^[A-Za-z_][\w-]{0,63}$/

/** Names of the placeholders in a prompt, without repeats. */
export const placesIn = (prompt: string): string[] => [...new Set([...prompt.matchAll(PLACE)].map(([, name]) => name!))]

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
  if (odd !== undefined) return `“${odd}” cannot be the name of a field: letters, digits, _ and -, a letter first.`
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `Two fields are called “${twice}”.`
  const empty = fields.find(({ type, options }) => type === 'select' && options.length === 0)
  return empty ? `“${empty.name}” is a choice: it needs at least one option.` : null
}
