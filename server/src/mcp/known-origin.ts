import type { FastifyRequest } from 'fastify'
import { ForbiddenError } from '../access/access.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Pages of other sites may not call: a name that is made to point at this server would else let them through its
 * firewall. Programs send no Origin.
 * @throws ForbiddenError
 */
export function requireKnownOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  if (headers.origin === undefined) return
  const origin = URL.parse(headers.origin)
  if (origin && (origin.origin === new URL(publicUrl).origin || LOOPBACK.test(origin.hostname))) return
  throw new ForbiddenError(
    'Pages of this origin may not call /mcp. If it is the address of this server, the operator can name it in DOCENT_PUBLIC_URL',
  )
}
