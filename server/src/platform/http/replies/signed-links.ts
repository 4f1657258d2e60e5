import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../errors.ts'

export class LinkInvalidError extends DomainError {
  override name = 'LinkInvalidError'
  readonly code = 'LINK_INVALID'
  constructor() {
    super('This link is not valid; ask for a new one')
  }
}

export class LinkExpiredError extends DomainError {
  override name = 'LinkExpiredError'
  readonly code = 'LINK_EXPIRED'
  constructor() {
    super('This link has expired; ask for a new one')
  }
}

export interface SignedLinks {
  /** A URL that works without a key until it expires. `path` begins with a slash. */
  sign(path: string): string
  /** @throws LinkInvalidError when anything of it was changed, LinkExpiredError */
  verify(path: string, query: { expires?: string; signature?: string }): void
}

/** Links whose path and expiry are signed (HMAC-SHA256), so that none can be altered into another file's. */
export function createSignedLinks(options: {
  secret: string
  /** Known only once the server listens. */
  baseUrl: () => string
  ttlMs: number
  clock: Clock
}): SignedLinks {
  const { secret, baseUrl, ttlMs, clock } = options
  const signatureOf = (path: string, expires: string) =>
    createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url')

  return {
    sign(path) {
      const expires = String(Math.ceil((clock().getTime() + ttlMs) / 1000))
      return `${baseUrl()}${path}?expires=${expires}&signature=${signatureOf(path, expires)}`
    },
    verify(path, { expires = '', signature = '' }) {
      const wanted = Buffer.from(signatureOf(path, expires))
      const given = Buffer.from(signature)
      if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) throw new LinkInvalidError()
      if (Number(expires) * 1000 < clock().getTime()) throw new LinkExpiredError()
    },
  }
}
