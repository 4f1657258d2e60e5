import type { FastifyInstance } from 'fastify'
import { keyOf } from '../authentication.ts'
import type { Caller } from '../caller.ts'
import type { BrowserOrigins } from './browser-origins.service.ts'

/** Headers of answers that a page of another origin may read. */
const EXPOSED =
  'x-request-id, retry-after, ratelimit, ratelimit-policy, idempotency-replayed, content-disposition, content-range, etag'

export interface CorsOptions {
  browserOrigins: BrowserOrigins
  userTokens: {
    prefix: string
    /** The workspace of a token that this server signed, however it ended. */
    workspaceOf(token: string): Pick<Caller, 'organizationId' | 'workspaceId'> | undefined
  }
}

/**
 * Lets pages of the origins that a workspace lists read answers to the tokens of its end users, errors included. Other
 * credentials get nothing of it. It has to come before the credentials are checked.
 */
export function allowListedOrigins(app: FastifyInstance, { browserOrigins, userTokens }: CorsOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    const token = keyOf(request)
    if (!token?.startsWith(userTokens.prefix)) return done()
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    const workspace = origin && userTokens.workspaceOf(token)
    if (!workspace) return done()
    browserOrigins.isListed(workspace, origin).then((isListed) => {
      if (isListed) reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED })
      done()
    }, done)
  })
}
