import type { FastifyRequest } from 'fastify'
import { ForbiddenError } from '../access.errors.ts'

/** Header by which a page says that the request is its own: no other origin can add a header without being asked. */
export const SESSION_HEADER = 'x-docent-session'

/**
 * A cookie counts only for requests of Docent's own pages: browsers say which those are (`Sec-Fetch-Site`), and where
 * they do not (plain http on another host than localhost), the page says so with a header of its own.
 * @throws ForbiddenError
 */
export function requireOwnPage({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === undefined ? headers[SESSION_HEADER] === '1' : site === 'same-origin') return
  throw new ForbiddenError(
    `A session is for Docent's own pages: send an API key in the header x-api-key, or ${SESSION_HEADER}: 1 from the same origin`,
  )
}
