import type { FastifyInstance } from 'fastify'
import { preflightHeaders } from './preflights.ts'

/** Headers of answers that a page may read. */
const EXPOSED = 'www-authenticate, mcp-session-id, mcp-protocol-version, retry-after, x-request-id'
/** `*` stands for all others, such as MCP's headers for parameters, whose names no list knows; it leaves this one out. */
const ALLOWED = 'authorization, *'

const access = { who: 'everybody', proof: 'none: the call itself is checked' } as const

/**
 * Lets pages of every origin read the answers of the routes that are added to the instance from now on, refusals too.
 * Browsers then send no cookies along, so what a page gets is what a program gets that has the same token. It has to come
 * before credentials are checked.
 */
export function allowEveryOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED })
    done()
  })
}

/** Answers what browsers ask before a page of another origin calls. The instance must want no key. */
export function answerPreflights(app: FastifyInstance, url: string, methods: string): void {
  app.options(url, { config: { access } }, (_request, reply) => {
    reply
      .status(204)
      .headers(preflightHeaders('*', methods, ALLOWED))
      .send()
  })
}
