/** Milliseconds that a `Retry-After` header (seconds, or a date) asks for; undefined if it is absent or malformed. */
export function readRetryAfter(header: string | string[] | undefined, now = Date.now()): number | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim()
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
