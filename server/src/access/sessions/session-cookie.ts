import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'docent-session'
/** Browsers keep a cookie whose name begins so only if it is secure and of this very host. */
const SECURE_PREFIX = '__Host-'

/** The token that the browser holds, if it holds one. */
export const sessionTokenOf = (request: FastifyRequest): string | undefined => readOwnCookie(request, NAME)

/** Value of a cookie that `setOwnCookie` set. */
export function readOwnCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const { cookie, host } = headers
  if (!cookie) return undefined
  return cookieValue(cookie, nameFor(name, host, true)) ?? cookieValue(cookie, nameFor(name, host, false))
}

function cookieValue(cookie: string, name: string): string | undefined {
  const pair = cookie.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1) || undefined
}

/** Cookies are shared by all ports of a host: each server has a name of its own, so that two do not end each other's. */
function nameFor(name: string, host: string | undefined, isSecure: boolean): string {
  const port = /:(\d+)$/.exec(host ?? '')?.[1]
  return (isSecure ? SECURE_PREFIX : '') + name + (port ? `-${port}` : '')
}

interface CookieFields {
  value: string
  maxAgeSeconds: number
  /** Address at which people reach the server: tells whether over https where the request does not. */
  publicUrl: string | undefined
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, ...fields }: Omit<CookieFields, 'value'> & { token: string },
): void {
  setOwnCookie(request, reply, NAME, { value: token, ...fields })
}

/** Sets a cookie that no script reads and that other sites' pages do not send. */
export function setOwnCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  { value, maxAgeSeconds, publicUrl }: CookieFields,
): void {
  const isSecure = isOverHttps(request, publicUrl)
  reply.header('set-cookie', cookieOf(nameFor(name, request.headers.host, isSecure), value, maxAgeSeconds, isSecure))
}

export const clearSessionCookies = (request: FastifyRequest, reply: FastifyReply): void =>
  clearOwnCookies(request, reply, NAME)

export function clearOwnCookies({ headers }: FastifyRequest, reply: FastifyReply, name: string): void {
  reply.header(
    'set-cookie',
    [true, false].map((isSecure) => cookieOf(nameFor(name, headers.host, isSecure), '', 0, isSecure)),
  )
}

const cookieOf = (name: string, value: string, maxAgeSeconds: number, isSecure: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`

/** Tells whether the browser uses HTTPS, whatever the proxy uses to reach us. */
function isOverHttps({ headers, protocol }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (headers.origin && headers.origin !== 'null') return headers.origin.startsWith('https://')
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https' || publicUrl?.startsWith('https://') === true
}
