import { domainToASCII } from 'node:url'
import type { HostPatterns } from '../../../platform/outbound/host-patterns.ts'

/** Whether a host, as it is in a URL, was named by someone whose word counts. */
export type IsNamed = (host: string) => boolean

const URL_IN_TEXT = /\b[a-z][a-z\d+.-]*:\/\/[^\s<>"'`|\\^()[\]{}]+/gi
const NAME_IN_TEXT = /[\p{L}\p{N}](?:[\p{L}\p{N}_-]*\.)+(?:\p{L}{2,63}|xn--[a-z\d-]+)/giu
const ADDRESS_IN_TEXT = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

/**
 * Allowed hosts of links: those of all URLs and host names in the texts (the person's question, the operator's
 * instructions), and those of the patterns. A host stands for itself, with or without `www.`, at any port.
 * @param texts asked for once, when the first link comes
 */
export function namedHosts({ texts, patterns }: { texts: () => string[]; patterns: HostPatterns }): IsNamed {
  let named: Set<string> | undefined
  // Most answers have no link at all.
  const collected = () => (named ??= new Set(texts().flatMap(hostsIn)))
  return (text) => {
    const host = plainHost(text)
    if (host === undefined) return false
    return patterns(host) || patterns(withoutWww(host)) || collected().has(withoutWww(host))
  }
}

function hostsIn(text: string): string[] {
  const urls = [...text.matchAll(URL_IN_TEXT)].map(([url]) => URL.parse(url)?.hostname ?? '')
  const names = [...text.matchAll(NAME_IN_TEXT), ...text.matchAll(ADDRESS_IN_TEXT)].map(([name]) => name)
  return [...urls, ...names].map(plainHost).flatMap((host) => (host ? [withoutWww(host)] : []))
}

const withoutWww = (host: string): string => host.replace(/^www\.(?=.*\.)/, '')

/** The host as browsers ask for it, in ASCII and lower case; undefined for what is none. */
function plainHost(text: string): string | undefined {
  const host = text.startsWith('[') ? text.toLowerCase() : domainToASCII(text.toLowerCase().replace(/\.$/, ''))
  return host === '' ? undefined : host
}
