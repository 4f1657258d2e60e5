import type { Example } from './recorded.ts'

const MOST_ITEMS = 2
const LONGEST_TEXT = 300
/** Characters of an answer that is text, lines or events. */
const LONGEST_ANSWER = 2_000

/** An id stands by itself, behind a prefix (`dcc_`), or behind an escaped character of a URL (`%2F`). */
const ID = /(?<![0-9a-z]|(?<!%[0-9A-F])[A-Z])[0-9a-f]{24}(?![0-9A-Za-z])/g
const TIME = /\b20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z/g
const DAY = /\b20\d\d-[01]\d-[0-3]\d\b(?!T)/g
const TEMPORARY = /\/(tmp|dev\/shm)\/[\w./-]+?(?=\/|$)/g
const BASE64 = /^(?![0-9a-f]+$)(?:[A-Za-z0-9+/]{4}){12,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const ADDRESS = /\bhttps?(:\/\/|%3A%2F%2F)(?:127\.0\.0\.1|localhost)(?:(?::|%3A)\d+)?/g
const HOST = /^(127\.0\.0\.1|localhost):\d+$/
const LOOPBACK = /\b127\.0\.0\.1(:\d+)?/g
const PREFIXED = /(?<![A-Za-z0-9])(?:(whsec)_[A-Za-z0-9+/=]{12,}|(dc[a-z])_[A-Za-z0-9_-]{12,})/g
const TOKEN = /[A-Za-z0-9_-]{32,}/g
const BASE32 = /^(?=.*\d)[A-Z2-7]{32,}$/

/** A short copy with stable ids, times and addresses, and without secrets; equal ones stay equal. */
export function tidyExample({ params, query, body, answer, headers }: Example): Example {
  const ids = new Map<string, string>()
  const stable = (id: string) => {
    const known = ids.get(id) ?? `6740a1b2c3d4e5f6a7b8${(ids.size + 1).toString(16).padStart(4, '0')}`
    ids.set(id, known)
    return known
  }
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return tidyText(value, stable)
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(clean)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.replace(ID, stable), clean(one)]))
  }
  const isThere = (part: object | undefined) => part && Object.keys(part).length > 0
  return {
    ...(isThere(params) && { params: clean(params) as Record<string, string> }),
    ...(isThere(query) && { query: clean(query) as Record<string, unknown> }),
    ...(body != null && { body: clean(body) }),
    ...(answer !== undefined && { answer: typeof answer === 'string' ? tidyLines(answer, stable) : clean(answer) }),
    ...(isThere(headers) && { headers: clean(headers) as Record<string, string> }),
  }
}

/** Events that are whole, or else lines, as many as fit. */
function tidyLines(text: string, stableId: (id: string) => string): string {
  const tidy = withoutSecrets(text.slice(0, 4 * LONGEST_ANSWER), stableId)
  if (tidy.length <= LONGEST_ANSWER) return tidy
  const head = tidy.slice(0, LONGEST_ANSWER)
  const end = [head.lastIndexOf('\n\n') + 1, head.lastIndexOf('\n')].find((at) => at > 0)
  return end ? head.slice(0, end + 1) : `${head}…`
}

/** Secrets go before the text is cut: the beginning of one would pass for a word. */
function tidyText(text: string, stableId: (id: string) => string): string {
  if (BASE64.test(text.slice(0, 4 * LONGEST_TEXT))) return 'iVBORw0KGgo='
  const tidy = withoutSecrets(text, stableId)
  return tidy.length > LONGEST_TEXT ? `${tidy.slice(0, LONGEST_TEXT)}…` : tidy
}

function withoutSecrets(text: string, stableId: (id: string) => string): string {
  return (
    text
      .replace(TEMPORARY, '/srv')
      .replace(ADDRESS, (_, slashes) => `https${slashes}docent.example.com`)
      .replace(HOST, 'localhost')
      // Addresses for documentation, of RFC 5737.
      .replace(LOOPBACK, (_, port) => (port ? '192.0.2.10:443' : '192.0.2.10'))
      .replace(TIME, '2026-01-31T09:30:00.000Z')
      .replace(DAY, '2026-01-31')
      .replace(ID, stableId)
      .replace(PREFIXED, (all, ...[a, b]) => (/_6740a1b2c3d4e5f6a7b8/.test(all) ? all : `${a ?? b}_EXAMPLE`))
      .replace(TOKEN, (token) => (/^[0-9a-f]{64}$/.test(token) ? '5e'.repeat(32) : isRandom(token) ? 'EXAMPLE' : token))
  )
}

/** Whether it looks drawn at random: no name has capitals, small letters and digits all at once. */
const isRandom = (text: string): boolean =>
  BASE32.test(text) || (/[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text))
