import {
  type AccessService,
  type Caller,
  SECOND_FACTOR_CHANGED,
  TRUST_MS,
  UnauthorizedError,
} from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { type Audience, RESOURCE_PATHS } from '../scopes.ts'
import { ACCESS_PREFIX, hashSecret } from './secrets.ts'
import { findToken } from './tokens.store.ts'

const USE_RECORDED_EVERY_MS = 60_000

interface Trusted {
  caller: Caller
  audience: Audience
  until: number
  useRecordedAt: number
}

export interface AppTokensOptions extends Pick<KernelParts, 'clock' | 'db' | 'pubsub'> {
  access: AccessService
}

/** Access tokens of apps: anyone who has one acts as the key of the grant. */
export function createAppTokens({ db, clock, access, pubsub }: AppTokensOptions) {
  const trusted = createLruCache<Trusted>(10_000)
  pubsub.subscribe('keys.revoked', (keyId) => {
    for (const [token, { caller }] of trusted) if (caller.keyId === keyId) trusted.delete(token)
  })
  pubsub.subscribe(SECOND_FACTOR_CHANGED, () => trusted.clear())

  async function lookUp(text: string, audience: Audience): Promise<Caller> {
    const earlier = trusted.get(text)
    trusted.delete(text)
    const token = await findToken(db, hashSecret(text))
    if (token?.kind !== 'access') throw new UnauthorizedError('This access token is not known, or was revoked')
    const now = clock().getTime()
    const expiresAt = Date.parse(token.expiresAt)
    if (expiresAt <= now)
      throw new UnauthorizedError('This access token has expired: get another with the refresh token')
    const caller = await access.byId(token.organizationId, token.keyId)
    const isUseDue = now - (earlier?.useRecordedAt ?? 0) > USE_RECORDED_EVERY_MS
    if (isUseDue) access.noteUse(caller)
    const useRecordedAt = isUseDue ? now : earlier!.useRecordedAt
    trusted.set(text, { caller, audience: token.audience, until: Math.min(now + TRUST_MS, expiresAt), useRecordedAt })
    return requireAudience(caller, token.audience, audience)
  }

  return {
    prefix: ACCESS_PREFIX,

    /**
     * The caller of a token, at once for one that was seen in the last seconds.
     * @param audience part of the server that it was sent to
     * @throws UnauthorizedError if it is unknown, ended or meant for another part
     */
    authenticate(text: string, audience: Audience): Caller | Promise<Caller> {
      const known = trusted.get(text)
      if (!known || known.until <= clock().getTime()) return lookUp(text, audience)
      return requireAudience(known.caller, known.audience, audience)
    },
  }
}

function requireAudience(caller: Caller, of: Audience, wanted: Audience): Caller {
  if (of === wanted) return caller
  throw new UnauthorizedError(`This access token is for ${RESOURCE_PATHS[of]} alone`)
}
