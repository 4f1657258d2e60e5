import { createHmac, timingSafeEqual } from 'node:crypto'
import { UnauthorizedError } from '../access/access.errors.ts'

export const VISITOR_PREFIX = 'dcv_'

/** A visitor of a link, as their token says. */
export interface Visitor {
  id: string
  linkId: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface VisitorTokens {
  sign(visitor: Visitor): string
  /** Checks the signature alone. @throws UnauthorizedError for what this server did not sign */
  read(token: string): Visitor
}

/** `dcv_VISITOR.LINK.EXPIRY.SIGNATURE`: nothing is stored of a visitor who does not chat. */
export function createVisitorTokens(secret: string): VisitorTokens {
  const signatureOf = (content: string) => createHmac('sha256', secret).update(content).digest('base64url')
  return {
    sign({ id, linkId, expiresAt }) {
      const content = [id, linkId, expiresAt.toString(36)].join('.')
      return `${VISITOR_PREFIX}${content}.${signatureOf(content)}`
    },
    read(token) {
      const [id, linkId, expiry, signature = ''] = token.slice(VISITOR_PREFIX.length).split('.')
      const expected = Buffer.from(signatureOf([id, linkId, expiry].join('.')))
      const given = Buffer.from(signature)
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw new UnauthorizedError('This visitor token is not one of this server: open the link again')
      return { id: id!, linkId: linkId!, expiresAt: Number.parseInt(expiry!, 36) }
    },
  }
}
