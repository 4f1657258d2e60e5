import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearOwnCookies, readOwnCookie, setOwnCookie } from '../../access/access.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { createSecretBox } from '../../platform/secret-box.ts'

/** A challenge that a passkey is to sign, for one purpose. */
export interface Challenge {
  /** Base64url. */
  value: string
  /** `proof`: of somebody who is signed in and changes the passkeys of the account. */
  purpose: 'sign-in' | 'second-factor' | 'proof' | 'adding'
  /** Account whose passkeys may answer; null where the answer tells which account it is. */
  accountId: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

const NAME = 'docent-passkey'
const CONTEXT = 'challenge'
export const CHALLENGE_MS = 5 * 60_000

export interface ChallengeKeeperOptions {
  config: { http: { publicUrl?: string } }
  getSecret(use: 'secrets'): Promise<string>
}

/** Leaves challenges with browsers, sealed: an answer that comes from another browser finds none there. */
export function createChallengeKeeper({ config, getSecret }: ChallengeKeeperOptions) {
  const box = lazy(async () => createSecretBox(await getSecret('secrets'), 'passkeys'))
  return {
    async keep(request: FastifyRequest, reply: FastifyReply, challenge: Challenge): Promise<void> {
      const value = (await box.get()).seal(JSON.stringify(challenge), CONTEXT)
      const { publicUrl } = config.http
      setOwnCookie(request, reply, NAME, { value, maxAgeSeconds: CHALLENGE_MS / 1000, publicUrl })
    },

    /** Takes the challenge from the browser; undefined where there is none that this server made. */
    async take(request: FastifyRequest, reply: FastifyReply): Promise<Challenge | undefined> {
      const sealed = readOwnCookie(request, NAME)
      if (sealed === undefined) return undefined
      clearOwnCookies(request, reply, NAME)
      const opener = await box.get()
      try {
        return JSON.parse(opener.open(sealed, CONTEXT)) as Challenge
      } catch {
        return undefined
      }
    },
  }
}
