import { t } from '@lingui/core/macro'

type Given = Record<string, unknown>

/** Arguments of a tool while a person edits them: a text for each, or one JSON object for all. */
export type ArgumentsDraft = { as: 'fields'; from: Given; texts: Record<string, string> } | { as: 'json'; text: string }

/** Reason why a draft is invalid. */
export interface DraftProblem {
  /** Name of the argument; undefined if all are one text. */
  name?: string
  text: string
}

export const fieldsDraft = (given: Given): ArgumentsDraft => ({
  as: 'fields',
  from: given,
  texts: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toText(value)])),
})

export const jsonDraft = (given: Given): ArgumentsDraft => ({ as: 'json', text: JSON.stringify(given, null, 2) })

/** Parses a draft. Text arguments stay text, so that nobody has to type quotes; others are parsed as JSON. */
export function readDraft(draft: ArgumentsDraft): { given: Given } | DraftProblem {
  if (draft.as === 'json') return readObject(draft.text)
  const given: [name: string, value: unknown][] = []
  for (const [name, text] of Object.entries(draft.texts)) {
    if (typeof draft.from[name] === 'string') given.push([name, text])
    else {
      const value = parse(text)
      if (value === undefined)
        return { name, text: t`Write a number, true, false, null, a list or an object, or a text in double quotes.` }
      given.push([name, value])
    }
  }
  return { given: Object.fromEntries(given) }
}

function readObject(text: string): { given: Given } | DraftProblem {
  const value = parse(text)
  if (value === undefined) return { text: t`This is not JSON. Check quotes and commas.` }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { text: t`Write an object: names and values in braces.` }
  return { given: value as Given }
}

/** Text of an argument in its box. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Undefined for text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
