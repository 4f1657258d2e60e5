import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RateHeaders } from '../platform/cluster/limits/rate-limit.ts'
import { UnauthorizedError } from './access.errors.ts'
import type { AccessService } from './access.service.ts'
import type { Caller } from './caller.ts'
import type { FailedAttempts } from './limits/failed-attempts.ts'
import type { KeyLimiter } from './limits/key-limiter.ts'
import { checkCaller } from './rules/check-caller.ts'
import { requireOwnPage } from './sessions/own-page.ts'
import { sessionTokenOf } from './sessions/session-cookie.ts'
import type { SessionService } from './sessions/sessions.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /**
     * Checks again that the caller may call this route, for a stream that never ends.
     * @throws UnauthorizedError, ForbiddenError
     */
    readmit(): Promise<void>
  }
}

/** Methods of requests that change nothing. */
const READS = new Set(['GET', 'HEAD'])

/** Credentials of a request. */
export interface Credentials {
  access: AccessService
  sessions: SessionService
  failedAttempts: FailedAttempts
}

export interface AuthenticationOptions extends Credentials {
  /** Visitors of links, by the token of their visit, which begins with `prefix`. */
  visitors: { prefix: string; authenticate(token: string): Caller | Promise<Caller> }
  /** Apps that act for a person, by their access tokens, which begin with `prefix`. */
  appTokens: { prefix: string; authenticate(token: string, audience: 'mcp' | 'api'): Caller | Promise<Caller> }
  /** Part of the server that tokens of apps have to be for; default: the API. */
  audience?: 'mcp' | 'api'
  /** Virtual users with a token of their own, which begins with `prefix`. */
  userTokens: { prefix: string; authenticate(token: string): Promise<Caller> }
  rateLimiter: KeyLimiter
}

/**
 * Every route of the instance wants a key, or the cookie of a session from Docent's own pages: 401 without (429 where
 * too many fail from one address), then the rate limit, then the route's access rule.
 */
export function requireApiKey(app: FastifyInstance, options: AuthenticationOptions): void {
  const { sessions, rateLimiter, failedAttempts } = options
  app.decorateRequest('caller', null as unknown as Caller)
  app.decorateRequest('readmit', async function readmit(this: FastifyRequest): Promise<void> {
    this.caller = await callerOf(this)
    checkCaller(this)
  })
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isGuarded: true }
  })

  function callerOf(request: FastifyRequest): Caller | Promise<Caller> {
    const key = keyOf(request)
    return key === undefined ? sessions.authenticate(tokenOf(request)) : authenticate(key, options)
  }

  /** A promise only where the token of the rate limit has to be waited for. */
  function admit(caller: Caller, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    // The caller is cached, and so shared by all requests of its key.
    request.caller = READS.has(request.method) ? caller : { ...caller, request: { id: request.id, ip: request.ip } }
    const headers = rateLimiter.take(caller)
    if (headers instanceof Promise) return headers.then((found) => checkRoute(request, reply, found))
    checkRoute(request, reply, headers)
  }

  function checkRoute(request: FastifyRequest, reply: FastifyReply, headers: RateHeaders): void {
    if (headers) reply.headers(headers)
    checkCaller(request)
  }

  app.addHook('onRequest', (request, reply, done) => {
    try {
      const caller = callerOf(request)
      // Most requests come from a key seen a moment ago: no promise, no turn of the loop.
      const admitted =
        caller instanceof Promise
          ? caller.then(
              (found) => admit(found, request, reply),
              (error) => failedAttempts.refuse(request.ip, error),
            )
          : admit(caller, request, reply)
      if (admitted === undefined) return done()
      admitted.then(() => done(), done)
    } catch (error) {
      done(error as Error)
    }
  })
}

/** The caller behind a key or token, by what it begins with. @throws UnauthorizedError */
function authenticate(
  key: string,
  { access, visitors, appTokens, audience = 'api', userTokens }: AuthenticationOptions,
): Caller | Promise<Caller> {
  if (key.startsWith(visitors.prefix)) return visitors.authenticate(key)
  if (key.startsWith(appTokens.prefix)) return appTokens.authenticate(key, audience)
  return key.startsWith(userTokens.prefix) ? userTokens.authenticate(key) : access.authenticate(key)
}

/** Finds the caller of a request that needs no key. @throws UnauthorizedError for an unknown key or session */
export async function findCaller(
  request: FastifyRequest,
  { access, sessions, failedAttempts }: Credentials,
): Promise<Caller | undefined> {
  const key = keyOf(request)
  if (key === undefined && sessionTokenOf(request) === undefined) return undefined
  const found = async () => (key === undefined ? sessions.authenticate(tokenOf(request)) : access.authenticate(key))
  return found().catch((error) => failedAttempts.refuse(request.ip, error))
}

/** Key or token of a request, as its headers have it. */
export function keyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key']
  if (typeof header === 'string' && header !== '') return header
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** @throws UnauthorizedError without a session, ForbiddenError when the request is not a page's of ours */
function tokenOf(request: FastifyRequest): string {
  const token = sessionTokenOf(request)
  if (token !== undefined) {
    requireOwnPage(request)
    return token
  }
  throw new UnauthorizedError('Send your API key in the header x-api-key, or as authorization: Bearer KEY')
}
