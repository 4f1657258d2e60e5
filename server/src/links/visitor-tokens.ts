import { createHmac, timingSafeEqual } from 'node:crypto'
import { UnauthorizedError } from '../access/access.ts'

export const VISITOR_PREFIX = 'dcv_'

/** A visitor of a link, as their token says. */
export interface Visitor {
  id: string
  linkId: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Identity in the organization, where the link is for its people only. */
  insider?: Insider
}

/** Key or session of the organization by which the visitor got access. */
export interface Insider {
  kind: 'key' | 'session'
  id: string
}

export interface VisitorTokens {
  sign(visitor: Visitor): string
  /** Checks the signature alone. @throws UnauthorizedError for what this server did not sign */
  read(token: string): Visitor
}

const KINDS = { k: 'key', s: 'session' } as const

/**
 * `dcv_VISITOR.LINK.EXPIRY.SIGNATURE`, and before the signature `kID.` or `sID.` of the key or session that let them in:
 * nothing is stored of a visitor who does not chat.
 */
export function createVisitorTokens(secret: string): VisitorTokens {
  const signatureOf = (content: string) => createHmac('sha256', secret).update(content).digest('base64url')
  return {
    sign({ id, linkId, expiresAt, insider }) {
      const content = [id, linkId, expiresAt.toString(36), ...(insider ? [insider.kind[0] + insider.id] : [])].join('.')
      return `${VISITOR_PREFIX}${content}.${signatureOf(content)}`
    },
    read(token) {
      const parts = token.slice(VISITOR_PREFIX.length).split('.')
      const given = Buffer.from(parts.pop()!)
      const expected = Buffer.from(signatureOf(parts.join('.')))
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw new UnauthorizedError('This visitor token is not one of this server: open the link again')
      const [id, linkId, expiry, insider] = parts
      return {
        id: id!,
        linkId: linkId!,
        expiresAt: Number.parseInt(expiry!, 36),
        ...(insider && { insider: { kind: KINDS[insider[0] as keyof typeof KINDS], id: insider.slice(1) } }),
      }
    },
  }
}
