import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'

/** Destinations that a browser would run with the rights of the page: nothing of the API is meant for that. */
const RUN = new Set([
  'script',
  'style',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
  'xslt',
])

export class NotToBeRunError extends DomainError {
  override name = 'NotToBeRunError'
  readonly code = 'FORBIDDEN'
  constructor(destination: string) {
    super(`What the API holds cannot be loaded as a ${destination} of a page`)
  }
}

/**
 * Sets what every answer under `/v1` says to browsers and caches, unless its route says something else: it may hold
 * secrets, and is what its content type says.
 * @returns why the request is refused, for one that a page would run
 */
export function guardApiAnswer(request: FastifyRequest, reply: FastifyReply): NotToBeRunError | undefined {
  if (!request.url.startsWith('/v1/')) return undefined
  reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
  const destination = request.headers['sec-fetch-dest']
  return typeof destination === 'string' && RUN.has(destination) ? new NotToBeRunError(destination) : undefined
}
