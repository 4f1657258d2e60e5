import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ForbiddenError } from '../access/access.errors.ts'
import { createRateLimiter, type RateLimiter } from '../access/rate-limit.ts'

/** What is counted: all else is cheap. */
const QUERY = 'chats.queries.create'

/** Holds visitors of a link to what their link allows; everybody else pays one comparison. */
export function guardVisitors(app: FastifyInstance): void {
  const limiters = new Map<string, RateLimiter>()

  /** One for each number of queries a minute that a link may have. */
  function limiterOf(perMinute: number, who: string): RateLimiter {
    const key = `${who} ${perMinute}`
    let limiter = limiters.get(key)
    if (!limiter) {
      limiter = createRateLimiter({ perSecond: perMinute / 60, burst: perMinute }, undefined, who)
      limiters.set(key, limiter)
    }
    return limiter
  }

  app.addHook('preHandler', (request, reply, done) => {
    const { visitor, keyId } = request.caller
    if (!visitor) return done()
    try {
      refuseOtherNames(request)
      const { operationId } = request.routeOptions.schema as { operationId?: string }
      if (operationId === QUERY) {
        reply.headers(limiterOf(visitor.queriesPerVisitor, 'A visitor of this link').take(visitor.id) ?? {})
        limiterOf(visitor.queriesPerMinute, 'This link').take(keyId)
      }
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/** A visitor could otherwise be anybody, and read what an agent remembers of them. */
function refuseOtherNames({ body }: FastifyRequest): void {
  if ((body as { virtual_user_email?: unknown } | undefined)?.virtual_user_email != null)
    throw new ForbiddenError('Visitors of a link have no virtual_user_email: leave it out')
}
