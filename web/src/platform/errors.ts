import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatExactTime } from './format.ts'
import { errorInWords, problemInWords } from './server-words.ts'

/** An error whose message is written for a person. */
export class ExplainedError extends Error {
  override name = 'ExplainedError'
}

/** Explains an error to a person: what happened, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof ExplainedError) return error.message
  if (!(error instanceof DocentError)) return t`Something unexpected happened in this page. Reload it and try again.`
  const said = errorInWords(error) ?? withStop(error.message)
  switch (error.code) {
    case 'FORBIDDEN':
      return t`${said} Ask an admin of your workspace for that permission.`
    case 'RATE_LIMITED':
      return t`${said} Wait a few seconds, then try again.`
    case 'QUOTA_EXCEEDED':
      return t`${said} Wait until then, or ask an admin of your workspace to raise it.`
    case 'UNAVAILABLE':
      return t`The server is starting or stopping. Try again in a moment.`
    case 'INTERNAL_ERROR':
      return t`The server failed. Try again; if it keeps failing, its log says why.`
    default:
      return isTemporary(error)
        ? t`Docent cannot be reached. Check that the server runs and that you are connected, then try again.`
        : said
  }
}

/** Whether the error may be temporary: the connection, a proxy or the server is down. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof DocentError &&
  /^(UNAVAILABLE|CONNECTION_FAILED|TIMEOUT|INVALID_ANSWER|HTTP_50[234])$/.test(error.code)

/** Whether an error means that something does not exist or may not be read; an invalid id counts, too. */
export const isMissing = (error: unknown): boolean =>
  error instanceof DocentError &&
  (error.status === 404 || (error.code === 'VALIDATION_ERROR' && /^\w+_id: /.test(error.message)))

export const explainMissing = (error: unknown): string =>
  error instanceof DocentError && error.status === 404 ? explain(error) : t`There is nothing at this address.`

/** Words of the API, and what the UI calls them. */
const WORDS = { 'knowledge base': 'folder', 'data source': 'file', 'virtual user': 'person' }

/** Turns `limits.max_steps: must …` into `Max steps must …` for people who see a form. */
const inWords = (path: string): string => {
  const words = path.replaceAll(/\.\d+/g, '').split('.').at(-1)!.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Formats a sentence of the server in the UI's words, with local times. */
function withStop(message: string): string {
  let text = message
    .replace(/^([a-z][\w.]*):(?= [a-z])/, (_, path: string) => inWords(path))
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatExactTime)
  for (const [theirs, ours] of Object.entries(WORDS)) text = text.replaceAll(theirs, ours)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Words of the server about one field of a form. */
export function explainField(error: unknown, path: string): string | null {
  if (!(error instanceof DocentError)) return null
  const found = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
  if (!found) return null
  return problemInWords(found.message) ?? `${found.message[0]!.toUpperCase()}${found.message.slice(1)}`
}

/**
 * Splits the errors of a form: what is about a field is at it, everything else below.
 * @param shown paths of the fields that show what is wrong with them
 * @param errors of what the form did, the first to be shown first
 */
export function fieldErrors(shown: readonly string[], errors: readonly unknown[]) {
  return {
    errorAt: (path: string) => errors.map((error) => explainField(error, path)).find((words) => words !== null) ?? null,
    unlessShown: (error: Error | null) => (shown.some((path) => explainField(error, path)) ? null : error),
  }
}
