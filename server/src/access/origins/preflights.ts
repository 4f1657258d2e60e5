import type { FastifyInstance } from 'fastify'
import type { BrowserOrigins } from './browser-origins.service.ts'

/** Headers that such a page may send. */
const ALLOWED =
  'authorization, x-api-key, content-type, idempotency-key, last-event-id, x-request-id, range, if-none-match'
const PREFLIGHT_SECONDS = '600'

/** Headers by which a page of an origin, or of every one (`*`), may continue to call. */
export const preflightHeaders = (origin: string, methods: string, headers: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': methods,
  'access-control-allow-headers': headers,
  'access-control-max-age': PREFLIGHT_SECONDS,
})

/**
 * Answers what browsers ask before a page of another origin may call: for the routes that take the tokens of end users,
 * to the origins that some workspace lists. The call itself tells which workspace it is for. To be set up before the
 * routes are.
 * @returns what adds the answers, after the routes
 */
export function collectPreflights(app: FastifyInstance): (browserOrigins: BrowserOrigins) => void {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.access?.virtualUsers !== true) return
    const methods = methodsOf.get(url) ?? new Set()
    methodsOf.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  const access = { who: 'everybody', proof: 'an origin that a workspace lists' } as const
  return (browserOrigins) => {
    for (const [url, methods] of [...methodsOf])
      app.options(url, { config: { access } }, async ({ headers: { origin } }, reply) => {
        reply.status(204).header('vary', 'Origin')
        if (origin !== undefined && (await browserOrigins.isKnown(origin)))
          reply.headers(preflightHeaders(origin, [...methods].join(', '), ALLOWED))
        return reply.send()
      })
  }
}
