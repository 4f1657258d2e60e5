import type { Answer, Example } from './recorded.ts'

/** Characters of an answer as JSON that are still pleasant to read. */
const LONGEST = 2_500
const MOST_ITEMS = 2
const LONGEST_TEXT = 300

const ID = /\b[0-9a-f]{24}\b/g
const TIME = /\b20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z/g
const TEMPORARY = /\/tmp\/[\w./-]+?(?=\/|$)/g
const BASE64 = /^(?![0-9a-f]+$)(?:[A-Za-z0-9+/]{4}){12,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const ADDRESS = /\bhttps?:\/\/(127\.0\.0\.1|localhost)(:\d+)?/g
const PREFIXED = /\b(dct|dcv|dcu|whsec|scim|doc)_[A-Za-z0-9_+/=-]{12,}/g
const TOKEN = /[A-Za-z0-9_-]{32,}/g

/** The most telling of the successes, without what is another one at each run; undefined if there is none. */
export function pickExample(answers: Answer[]): Example | undefined {
  const good = answers
    .filter(({ status }) => status < 300)
    .map(({ params, query, body, answer }) => tidy({ params, query, body: shortened(body), answer: shortened(answer) }))
  const readable = good.filter((one) => lengthOf(one) <= LONGEST)
  const best = readable.sort((a, b) => amountOf(b) - amountOf(a) || lengthOf(a) - lengthOf(b))[0]
  return best ?? good.sort((a, b) => lengthOf(a) - lengthOf(b))[0]
}

const lengthOf = (value: unknown): number => JSON.stringify(value ?? null).length

/** Number of values that are there, those of the request counted once more. */
const amountOf = ({ answer, body, query }: Example): number => leavesOf(answer) + leavesOf(body) + leavesOf(query)

function leavesOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, one) => sum + leavesOf(one), 0)
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shortened)
  if (typeof value === 'string' && BASE64.test(value.slice(0, 4 * LONGEST_TEXT))) return 'iVBORw0KGgo='
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]))
}

/** A copy with stable ids, times and addresses, and without secrets; equal ones stay equal. */
function tidy({ params, query, body, answer }: Example): Example {
  const ids = new Map<string, string>()
  const stable = (id: string) => {
    const known = ids.get(id) ?? `6740a1b2c3d4e5f6a7b8${(ids.size + 1).toString(16).padStart(4, '0')}`
    ids.set(id, known)
    return known
  }
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value
        .replace(TEMPORARY, '/srv')
        .replace(ADDRESS, 'https://docent.example.com')
        .replace(TIME, '2026-01-31T09:30:00.000Z')
        .replace(PREFIXED, (_, prefix) => `${prefix}_EXAMPLE`)
        .replace(ID, stable)
        .replace(TOKEN, (token) =>
          /^[0-9a-f]{64}$/.test(token) ? '5e'.repeat(32) : hasMixture(token) ? 'EXAMPLE' : token,
        )
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.replace(ID, stable), clean(one)]))
  }
  const isThere = (part: object | undefined) => part && Object.keys(part).length > 0
  return {
    ...(isThere(params) && { params: clean(params) as Record<string, string> }),
    ...(isThere(query) && { query: clean(query) as Record<string, unknown> }),
    ...(body != null && { body: clean(body) }),
    answer: clean(answer),
  }
}

/** Whether it looks drawn at random: no name has capitals, small letters and digits all at once. */
const hasMixture = (text: string): boolean => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)
