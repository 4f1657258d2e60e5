const MAX_LENGTH = 200
/** Length from which a part of a secret gives it away; providers quote its beginning or its end. */
const SECRET_PART = 6

/**
 * A provider's own words, fit for the log: one line, at most 200 characters, without anything that looks like a secret
 * and without quotations, which tend to be the user's text. Empty when nothing fit remains.
 */
export function shortReason(text: unknown, secret?: string): string {
  if (typeof text !== 'string' || text.trimStart().startsWith('<')) return ''
  // Cut first: patterns must not run over megabytes.
  let reason = text.slice(0, 4 * MAX_LENGTH)
  if (secret) reason = withoutPartsOf(secret, reason)
  reason = reason
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .replace(/\b(Bearer|Basic)\s+\S+/gi, '$1 [key]')
    .replace(/:\/\/[^\s/@]+@/g, '://[key]@')
    .replace(
      /\b((?:api[-_ ]?)?key|token|secret|password|signature|sig)(["']?\s?[=:]\s?["']?)[^\s"'&,;)]+/gi,
      '$1$2[key]',
    )
    // Providers mask keys with asterisks in the middle, which still shows a part of them.
    .replace(/[\w.-]*\*{2,}[\w*.-]*/g, '[key]')
    .replace(/\b(sk|pk|rk|key|gsk|xai|hf|AIza|AKIA|eyJ|dct)[-_]?[\w.-]{8,}/g, '[key]')
    .replace(/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/g, '[key]')
    .replace(/(?<!\w)(["'`])(?:(?!\1).){60,}?\1/g, '$1…$1')
    .replace(/(?<!\w)(["'`])(?=[^"'`]*\s)(?:(?!\1).)+\1/g, '$1…$1')
    .trim()
    .replace(/[.\s]+$/, '')
  return reason.length > MAX_LENGTH ? `${reason.slice(0, MAX_LENGTH - 1)}…` : reason
}

function withoutPartsOf(secret: string, text: string): string {
  let rest = text.replaceAll(secret, '[key]')
  const least = Math.min(SECRET_PART, secret.length)
  for (let length = secret.length - 1; length >= least; length--) {
    rest = rest.replaceAll(secret.slice(0, length), '[key]').replaceAll(secret.slice(-length), '[key]')
  }
  return rest
}
