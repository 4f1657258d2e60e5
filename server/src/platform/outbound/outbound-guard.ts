import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { isSpecialAddress } from './outbound-address.ts'
import type { OutboundAllow } from './outbound-allow.ts'
import { createLookUp, type LookUp } from './outbound-lookup.ts'

/** The URL is one that this server does not send requests to. */
export class OutboundNotAllowedError extends Error {
  override name = 'OutboundNotAllowedError'
}

const LONGEST_URL = 2048

interface Target {
  url: URL
  /** Lower case; an IPv6 address without its brackets. */
  host: string
  port: number
}

export interface OutboundGuard {
  /** Parses a URL and checks it as far as that can be done without a look-up. */
  parse(text: string): Target
  /** The addresses to connect to. @throws OutboundNotAllowedError if any of them is special, or the look-up's error */
  resolve(target: Pick<Target, 'host' | 'port'>): Promise<LookupAddress[]>
}

/** Reason why requests may not go to a URL, as far as it is known without a look-up; undefined if they may. */
export function refusalOf(guard: Pick<OutboundGuard, 'parse'>, url: string): string | undefined {
  try {
    guard.parse(url)
    return undefined
  } catch (error) {
    if (!(error instanceof OutboundNotAllowedError)) throw error
    return error.message
  }
}

/**
 * Decides where requests may go on behalf of others: http and https, no credentials in the URL, and no special address
 * (this machine, private networks, clouds' metadata) unless `allow` names it.
 */
export function createOutboundGuard({
  allow,
  lookUp = createLookUp(),
}: {
  allow: OutboundAllow
  lookUp?: LookUp
}): OutboundGuard {
  function check(host: string, port: number, address: string): void {
    if (!isSpecialAddress(address) || allow.has({ host, port, address })) return
    const entry = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    throw new OutboundNotAllowedError(
      `${host} is, or resolves to, a private or otherwise special address, which requests may not reach. The operator can allow it with the setting DOCENT_OUTBOUND_ALLOW=${entry}`,
    )
  }

  return {
    parse(text) {
      if (text.length > LONGEST_URL)
        throw new OutboundNotAllowedError(`The URL has more than ${LONGEST_URL} characters`)
      // The parser gives addresses in any notation (127.1, 0x7f000001, 017700000001) their one usual form.
      const url = URL.parse(text)
      if (!url) throw new OutboundNotAllowedError('This is not a URL')
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new OutboundNotAllowedError('The URL must begin with http:// or https://')
      if (url.username || url.password) throw new OutboundNotAllowedError('The URL must not hold credentials')
      const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
      if (isIP(host)) check(host, port, host)
      return { url, host, port }
    },

    async resolve({ host, port }) {
      const family = isIP(host)
      const addresses = family ? [{ address: host, family }] : await lookUp(host)
      for (const { address } of addresses) check(host, port, address)
      return addresses
    },
  }
}
