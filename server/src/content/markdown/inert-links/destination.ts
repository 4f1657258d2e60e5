import { domainToASCII } from 'node:url'
import { entityAt, OPEN_ENTITY } from './entities.ts'
import type { IsNamed } from './named-hosts.ts'

/**
 * Decision on a possible URL: keep its first `keep` characters and the text after it, make it inert, take it for text,
 * or wait for more.
 */
export type Verdict = { keep: number } | 'inert' | 'text' | 'more'

/** No host is longer. */
const LONGEST_AUTHORITY = 300
/** Characters that end the host of a URL, or make it one that no browser opens. */
const HOST_END = /[\s/?#<>[\]|^\\]/
/**
 * Characters that end the authority for every renderer: before them, an `@` would make all in front of it a user's
 * name.
 */
const AUTHORITY_END = /[\s/?#<]/
const CLOSING = /[.,;:!?'"*_~)}]+$/

/**
 * Judges what follows `https://` or `www.`. Only a plain host that was named is kept: with a user name, a backslash, an
 * escape or any odd character in front of the path, readers of URLs may not agree on where it leads.
 */
export function judgeAuthority(rest: string, isNamed: IsNamed, isEnd: boolean): Verdict {
  const wideEnd = rest.search(AUTHORITY_END)
  const wide = wideEnd === -1 ? rest : rest.slice(0, wideEnd)
  if (wide.length > LONGEST_AUTHORITY) return 'inert'
  if (wideEnd === -1 && !isEnd) return 'more'
  if (/[@&\\]/.test(wide)) return 'inert'
  const end = rest.search(HOST_END)
  const run = end === -1 ? rest : rest.slice(0, end)
  if (CLOSING.exec(run)?.[0] === run) return 'text'
  if (run === '') return /^(?:[/\\]|\[[\da-f:])/i.test(rest) ? 'inert' : 'text'
  // Closing marks belong to the sentence, unless a path follows them.
  const clean = end !== -1 && /[/?#]/.test(rest[end]!) ? run : run.replace(CLOSING, '')
  const [, host = ''] = /^([^\s:@%&]+?)(?::\d{1,5})?$/.exec(clean) ?? []
  return isPlainHost(host) && isNamed(host) ? { keep: clean.length } : 'inert'
}

/** A host without any character that only some would take for a part of it. */
const isPlainHost = (host: string): boolean =>
  /^[a-z\d](?:[a-z\d._-]*[a-z\d])?\.?$/i.test(host) ||
  (/^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._-]*[\p{L}\p{N}\p{M}])?$/u.test(host) && domainToASCII(host) !== '')

/**
 * Judges a link's destination, as it begins: in Markdown after `](` or `]:`, or after `<`. It keeps named hosts, e-mail
 * addresses and telephone numbers without further fields, and places on the same site.
 */
export function judgeDestination(text: string, isNamed: IsNamed, isEnd: boolean): Verdict {
  if (!isEnd && ((text.length < 3 && !/[\s)>]/.test(text)) || /^https?:\/?$/i.test(text))) return 'more'
  const [scheme] = /^https?:\/\//i.exec(text) ?? []
  if (scheme) {
    const verdict = judgeAuthority(text.slice(scheme.length), isNamed, isEnd)
    if (verdict === 'text') return 'inert'
    return typeof verdict === 'object' ? { keep: scheme.length + verdict.keep } : verdict
  }
  // `/` and no second one, in any disguise: a place on the same site.
  if (/^(?:[#?]|\.{0,2}\/(?![/\\&]))/.test(text)) return { keep: 1 }
  const end = endOfName(text)
  const next = text.slice(end)
  if (end > LONGEST_AUTHORITY) return 'inert'
  if (!isEnd && (next === '' || next === '\\' || OPEN_ENTITY.test(next))) return 'more'
  if (next.startsWith(':')) return judgeScheme(text.slice(0, end), next.slice(1), isEnd)
  if (end === 0) return /^[\s)>[\]{}<`|^("“‘]/.test(next) || next === '' ? { keep: 0 } : 'inert'
  return next.startsWith('\\') || entityAt(next) ? 'inert' : { keep: end }
}

/** End of the first part of a path, or of a scheme. A backslash in front of a Markdown mark is none. */
function endOfName(text: string): number {
  const name = /(?:[\p{L}\p{N}\p{M}_~%*@!$+,;='.-]|\\[-_*#()+.!~[\]]|&amp;|&(?=[^#a-z]))*/iuy
  name.exec(text)
  return name.lastIndex
}

function judgeScheme(scheme: string, rest: string, isEnd: boolean): Verdict {
  // `[1]: Note: and so on` is no destination.
  if (/^\s/.test(rest) || (rest === '' && isEnd)) return { keep: scheme.length + 1 }
  if (rest === '') return 'more'
  if (!/^(?:mailto|tel)$/i.test(scheme)) return 'inert'
  const [address] = /^[^\s?&<>()\\:/]*(?=[\s)>])/.exec(rest) ?? []
  if ((address && address.length < LONGEST_AUTHORITY) || (isEnd && /^[\w.+@-]*$/.test(rest)))
    return { keep: scheme.length + 1 }
  return /^[^\s?&<>()\\:/]*$/.test(rest) && rest.length < LONGEST_AUTHORITY ? 'more' : 'inert'
}
