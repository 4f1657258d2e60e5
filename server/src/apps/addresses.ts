import type { FastifyRequest } from 'fastify'
import { type Audience, RESOURCE_PATHS } from './scopes.ts'

/** Address of this server as clients see it, from which all other addresses of OAuth are made. */
export type BaseUrlOf = (request: FastifyRequest) => string

/**
 * The public address, where a setting says it; else the host that the request names, so that a client which knows the
 * server as localhost finds what it expects.
 */
export const createBaseUrl =
  (publicUrl: string | undefined, fallback: () => string): BaseUrlOf =>
  ({ protocol, host }) =>
    (publicUrl ?? URL.parse(`${protocol}://${host}`)?.origin ?? fallback()).replace(/\/+$/, '')

/** Identifier of a resource (RFC 8707). */
export const resourceUri = (base: string, audience: Audience): string => base + RESOURCE_PATHS[audience]

/** Address of the description of a resource (RFC 9728). */
export const resourceMetadataUrl = (base: string, audience: Audience): string =>
  `${base}/.well-known/oauth-protected-resource${RESOURCE_PATHS[audience]}`

/** Whether a client means this resource. */
export function isResource(given: string, base: string, audience: Audience): boolean {
  const url = URL.parse(given)
  return url !== null && url.href.replace(/\/+$/, '') === new URL(resourceUri(base, audience)).href
}
