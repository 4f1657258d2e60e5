import type { FastifyReply, FastifyRequest } from 'fastify'
import { ForbiddenError } from '../access.errors.ts'

/** Header by which a page says that the request is its own: no other origin can add a header without being asked. */
export const SESSION_HEADER = 'x-docent-session'

const NAME = 'docent-session'
/** Browsers keep a cookie of this name only if it is secure and of this very host. */
const SECURE_NAME = `__Host-${NAME}`

/** The token that the browser holds, if it holds one. */
export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  const { cookie } = headers
  if (!cookie) return undefined
  return cookieValue(cookie, nameFor(headers.host, true)) ?? cookieValue(cookie, nameFor(headers.host, false))
}

function cookieValue(cookie: string, name: string): string | undefined {
  const pair = cookie.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1) || undefined
}

/** Cookies are shared by all ports of a host: each server has a name of its own, so that two do not end each other's. */
function nameFor(host: string | undefined, isSecure: boolean): string {
  const port = /:(\d+)$/.exec(host ?? '')?.[1]
  return (isSecure ? SECURE_NAME : NAME) + (port ? `-${port}` : '')
}

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

/** @param publicUrl where people reach the server: tells whether over https where the request does not */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, maxAgeSeconds, publicUrl }: { token: string; maxAgeSeconds: number; publicUrl: string | undefined },
): void {
  const isSecure = isOverHttps(request, publicUrl)
  reply.header('set-cookie', cookieOf(nameFor(request.headers.host, isSecure), token, maxAgeSeconds, isSecure))
}

export function clearSessionCookies({ headers }: FastifyRequest, reply: FastifyReply): void {
  reply.header(
    'set-cookie',
    [true, false].map((isSecure) => cookieOf(nameFor(headers.host, isSecure), '', 0, isSecure)),
  )
}

const cookieOf = (name: string, value: string, maxAgeSeconds: number, isSecure: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`

/** As the browser sees it, not as the proxy asks for it. */
function isOverHttps({ headers, protocol }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (headers.origin && headers.origin !== 'null') return headers.origin.startsWith('https://')
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https' || publicUrl?.startsWith('https://') === true
}
