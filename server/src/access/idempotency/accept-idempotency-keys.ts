import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { invalidField } from '../../platform/errors.ts'

import type { IdempotentRequest, IdempotentRequests, StoredAnswer } from './idempotent-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while a request with an Idempotency-Key is carried out. */
    idempotent: IdempotentRequest | undefined
  }
  interface FastifyContextConfig {
    /** Whether the route itself knows a request that is sent again. */
    knowsRepeats?: true
  }
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const KEY = /^[\x21-\x7e]{1,255}$/

/** Idempotency-Key of a request; undefined for one without. @throws ValidationError */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || !KEY.test(key))
    throw invalidField('Idempotency-Key', 'must have 1 to 255 printable ASCII characters, without spaces')
  return key
}

/** Answers a request that is sent again as the first time. */
export const answerAgain = (reply: FastifyReply, { status, body }: StoredAnswer) =>
  reply.header('idempotency-replayed', 'true').status(status).type('application/json; charset=utf-8').send(body)

/**
 * Carries out a write with an Idempotency-Key once, and gives its answer again for 24 hours. Only success is kept: after
 * an error the key is free. Routes that read their own body are left out: its digest nobody knows before its end: they
 * note the key themselves.
 */
export function acceptIdempotencyKeys(app: FastifyInstance, requests: IdempotentRequests): void {
  app.decorateRequest('idempotent', undefined)

  async function begin(request: FastifyRequest, reply: FastifyReply) {
    const key = idempotencyKeyOf(request)
    if (key === undefined) return
    const digests = await requests.digestsOf(request.caller, key, request)
    const known = await requests.begin(digests)
    if (!known) {
      request.idempotent = digests
      return
    }
    return answerAgain(reply, known)
  }

  async function end(request: FastifyRequest, { statusCode: status }: FastifyReply, payload: unknown) {
    const { idempotent: digests } = request
    if (!digests) return
    const isKept = status < 300 && typeof payload === 'string'
    const noted = isKept ? requests.succeed(digests, { status, body: payload }) : requests.fail(digests)
    // The work is done, and the caller gets its result, though a repeated request is then carried out again.
    await noted.catch((error) =>
      request.log.error({ err: error }, 'the answer to an idempotent request was not stored'),
    )
  }

  app.addHook('onRoute', (route) => {
    const { documentedBody, knowsRepeats } = route.config ?? {}
    if (!WRITES.has(String(route.method)) || documentedBody || knowsRepeats) return
    route.preHandler = [...hooksOf(route.preHandler), begin]
    route.onSend = [...hooksOf(route.onSend), end]
  })
}

const hooksOf = <T extends RouteOptions['preHandler'] | RouteOptions['onSend']>(hooks: T) =>
  [hooks ?? []].flat() as Extract<T, unknown[]>
