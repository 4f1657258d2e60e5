import type { ShortcutField } from '@docent/sdk'

const PLACE = /\{\{\s*([\w-]+)\s*\}\}/g

/** What names of fields may look like. */
export const FIELD_NAME = /^[A-Za-z_][\w-]{0,63}$/

/** Names of the places in a prompt, each once. */
export const placesIn = (prompt: string): string[] => [...new Set([...prompt.matchAll(PLACE)].map(([, name]) => name!))]

/** The prompt in pieces: text, and places with the value that was filled in. */
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

/** Why the server would not take these fields; null when it would. */
export function fieldProblem(fields: ShortcutField[]): string | null {
  const names = fields.map(({ name }) => name)
  const odd = names.find((name) => !FIELD_NAME.test(name))
  if (odd !== undefined) return `“${odd}” cannot be the name of a field: letters, digits, _ and -, a letter first.`
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `Two fields are called “${twice}”.`
  const empty = fields.find(({ type, options }) => type === 'select' && options.length === 0)
  return empty ? `“${empty.name}” is a choice: it needs at least one option.` : null
}
