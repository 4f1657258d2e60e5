const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Schemes of editors that are well known, and older than the rule that such a scheme is a domain read backwards. */
const EDITORS = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:'])

const LONGEST = 500

/**
 * Reason that a URI cannot be a redirect target. Accepted are https, http on the person's own machine, and private
 * schemes (RFC 8252).
 */
export function redirectUriProblem(text: string): string | undefined {
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`
  const url = URL.parse(text)
  if (!url || /[\s\\]/.test(text)) return 'is no URL'
  if (text.includes('#')) return 'must have no fragment'
  if (url.username || url.password) return 'must name no user'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:')
    return LOOPBACK.has(url.hostname) ? undefined : 'must be https, unless it leads to the own machine'
  return url.protocol.includes('.') || EDITORS.has(url.protocol)
    ? undefined
    : 'has a scheme that is neither https nor private, such as com.example.app'
}

/** Whether a URI is one of those that were registered: exactly, but for the port on the own machine. */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (redirectUriProblem(given) !== undefined) return false
  return registered.some((one) => one === given || (isLoopback(one) && withoutPort(one) === withoutPort(given)))
}

/** Destination of a redirect URI, for a person: a host, their own machine, or a program on it. */
export function destinationOf(redirectUri: string): { kind: 'site' | 'this_device' | 'program'; name: string } {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return { kind: 'site', name: host }
  return protocol === 'http:' ? { kind: 'this_device', name: host } : { kind: 'program', name: protocol.slice(0, -1) }
}

const isLoopback = (text: string): boolean => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && LOOPBACK.has(hostname)
}

function withoutPort(text: string): string {
  const url = new URL(text)
  url.port = ''
  return url.href
}
