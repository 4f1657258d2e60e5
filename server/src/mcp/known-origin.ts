import type { FastifyRequest } from 'fastify'
import { ForbiddenError, keyOf } from '../access/access.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Pages of other sites may not call with keys: a name that is made to point at this server would else let them through
 * its firewall. With the token of an app they may, which a person has allowed for that client, and which expires.
 * Programs send no Origin. To be called for a request whose credentials were found right.
 * @throws ForbiddenError
 */
export function requireKnownOrigin(request: FastifyRequest, publicUrl: string, appTokenPrefix: string): void {
  const { headers } = request
  if (headers.origin === undefined || keyOf(request)?.startsWith(appTokenPrefix)) return
  const origin = URL.parse(headers.origin)
  if (origin && (origin.origin === new URL(publicUrl).origin || LOOPBACK.test(origin.hostname))) return
  throw new ForbiddenError(
    'Pages of this origin may call /mcp only with the token of an app that logged in. If it is the address of this server, the operator can name it in DOCENT_PUBLIC_URL',
  )
}
