import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearOwnCookies, readOwnCookie, setOwnCookie } from '../../access/access.ts'
import type { SecretBox } from '../../platform/secret-box.ts'

/** A sign-in that a browser has begun and that its provider has yet to answer. */
export interface Attempt {
  providerId: string
  state: string
  nonce: string
  codeVerifier: string
  /** Account that the identity is to be linked to; null to sign in. */
  accountId: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

const NAME = 'docent-sign-in'
const CONTEXT = 'attempt'
export const ATTEMPT_MS = 10 * 60_000

/** Leaves the attempt with the browser, sealed: an answer that comes to another browser finds none there. */
export function keepAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  { attempt, box, publicUrl }: { attempt: Attempt; box: SecretBox; publicUrl: string | undefined },
): void {
  const value = box.seal(JSON.stringify(attempt), CONTEXT)
  setOwnCookie(request, reply, NAME, { value, maxAgeSeconds: ATTEMPT_MS / 1000, publicUrl })
}

/** Takes the attempt from the browser; undefined where there is none that this server began. */
export function takeAttempt(request: FastifyRequest, reply: FastifyReply, box: SecretBox): Attempt | undefined {
  const sealed = readOwnCookie(request, NAME)
  if (sealed === undefined) return undefined
  clearOwnCookies(request, reply, NAME)
  try {
    return JSON.parse(box.open(sealed, CONTEXT)) as Attempt
  } catch {
    return undefined
  }
}
