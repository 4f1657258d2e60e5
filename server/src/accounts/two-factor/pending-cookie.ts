import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearOwnCookies, readOwnCookie, setOwnCookie } from '../../access/access.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { AccountRecord } from '../profile/account.store.ts'

/** A sign-in whose password was right, and whose second factor is yet to come. It stands for no session. */
export interface Pending {
  accountId: string
  /** Workspace to begin in; null for the one that was chosen last. */
  workspaceId: string | null
  /** Hash of what is stored of the password: another password ends the sign-in. */
  password: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

const NAME = 'docent-second-factor'
const CONTEXT = 'pending'
const PENDING_MS = 5 * 60_000

export const markOfPassword = ({ passwordHash }: Pick<AccountRecord, 'passwordHash'>): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')

/** Leaves it with the browser, sealed. It takes the place of one that was planted there before. */
export function keepPending(
  request: FastifyRequest,
  reply: FastifyReply,
  given: Omit<Pending, 'expiresAt'> & { now: number; box: SecretBox; publicUrl: string | undefined },
): void {
  const { now, box, publicUrl, ...pending } = given
  const value = box.seal(JSON.stringify({ ...pending, expiresAt: now + PENDING_MS }), CONTEXT)
  setOwnCookie(request, reply, NAME, { value, maxAgeSeconds: PENDING_MS / 1000, publicUrl })
}

/** @returns undefined where there is none that this server sealed, or it was begun too long ago */
export function readPending(request: FastifyRequest, box: SecretBox, now: number): Pending | undefined {
  const sealed = readOwnCookie(request, NAME)
  if (sealed === undefined) return undefined
  try {
    const pending = JSON.parse(box.open(sealed, CONTEXT)) as Pending
    return pending.expiresAt > now ? pending : undefined
  } catch {
    return undefined
  }
}

export const clearPending = (request: FastifyRequest, reply: FastifyReply): void =>
  clearOwnCookies(request, reply, NAME)
