import type { FastifyReply } from 'fastify'
import type { Visitor } from '../access/access.ts'
import type { CreateLimiter, RateLimiter } from '../platform/cluster/limits/rate-limit.ts'

/** Makes the function that holds visitors to the queries a minute of their link. @throws RateLimitedError, when called */
export function createVisitorQueries(createLimiter: CreateLimiter) {
  const limiters = new Map<string, RateLimiter>()

  /** One for each number of queries a minute that a link may have. */
  function limiterOf(perMinute: number, scope: 'link' | 'visitor', who: string): RateLimiter {
    const key = `${scope} ${perMinute}`
    let limiter = limiters.get(key)
    if (!limiter) {
      limiter = createLimiter(scope, { perSecond: perMinute / 60, burst: perMinute }, who)
      limiters.set(key, limiter)
    }
    return limiter
  }

  return async (visitor: Visitor, linkId: string, reply: FastifyReply): Promise<void> => {
    const ofVisitor = limiterOf(visitor.queriesPerVisitor, 'visitor', 'A visitor of this link')
    reply.headers((await ofVisitor.take(visitor.id)) ?? {})
    await limiterOf(visitor.queriesPerMinute, 'link', 'This link').take(linkId)
  }
}
