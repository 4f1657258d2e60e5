const MAX_LENGTH = 200

/**
 * A provider's own words, fit to be shown: one line, at most 200 characters, without anything that looks like a
 * secret and without long quotations, which tend to be the user's text. Empty when nothing fit remains.
 */
export function shortReason(text: unknown, secret?: string): string {
  if (typeof text !== 'string' || text.trimStart().startsWith('<')) return ''
  // Cut first: patterns must not run over megabytes.
  let reason = text.slice(0, 4 * MAX_LENGTH)
  if (secret) reason = reason.replaceAll(secret, '[key]')
  reason = reason
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .replace(/\b(Bearer|Basic)\s+\S+/gi, '$1 [key]')
    // Providers mask keys with asterisks in the middle, which still shows a part of them.
    .replace(/\b(sk|pk|key|gsk|xai|AIza|dct)[-_]?[\w*-]{8,}/g, '[key]')
    .replace(/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}/g, '[key]')
    .replace(/(["'`])(?:(?!\1).){60,}?\1/g, '$1…$1')
    .trim()
    .replace(/[.\s]+$/, '')
  return reason.length > MAX_LENGTH ? `${reason.slice(0, MAX_LENGTH - 1)}…` : reason
}
