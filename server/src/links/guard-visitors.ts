import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Visitor, visitorsHaveNoEmail } from '../access/access.ts'
import type { CreateLimiter, RateLimiter } from '../platform/cluster/limits/rate-limit.ts'

/** The operation that is counted: all others are cheap. */
const QUERY = 'chats.queries.create'

/** Holds visitors of a link to what their link allows; everybody else pays one comparison. */
export function guardVisitors(app: FastifyInstance, createLimiter: CreateLimiter): void {
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

  async function count(visitor: Visitor, linkId: string, reply: FastifyReply): Promise<void> {
    const ofVisitor = limiterOf(visitor.queriesPerVisitor, 'visitor', 'A visitor of this link')
    reply.headers((await ofVisitor.take(visitor.id)) ?? {})
    await limiterOf(visitor.queriesPerMinute, 'link', 'This link').take(linkId)
  }

  app.addHook('preHandler', (request, reply, done) => {
    const { visitor, keyId } = request.caller
    if (!visitor) return done()
    try {
      refuseOtherNames(request)
    } catch (error) {
      return done(error as Error)
    }
    const { operationId } = request.routeOptions.schema as { operationId?: string }
    if (operationId !== QUERY) return done()
    count(visitor, keyId, reply).then(() => done(), done)
  })
}

function refuseOtherNames({ body }: FastifyRequest): void {
  if ((body as { virtual_user_email?: unknown } | undefined)?.virtual_user_email != null) throw visitorsHaveNoEmail()
}
