import type { OutboundReply } from './outbound.ts'

/** The reply leads to something that is no address. */
export class NoAddressError extends Error {
  override name = 'NoAddressError'
}

/** Address that a reply redirects to, without a fragment; undefined if it does not. @throws NoAddressError */
export function redirectOf({ status, headers }: OutboundReply, url: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || typeof headers.location !== 'string') return undefined
  const next = URL.parse(headers.location, url)
  if (!next) throw new NoAddressError('The reply redirects to an address that is none')
  next.hash = ''
  return next.href
}
