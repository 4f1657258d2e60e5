import {
  type CreateLimiter,
  isUnlimited,
  type RateHeaders,
  type RateLimiter,
  type RateLimits,
} from '../../platform/cluster/limits/rate-limit.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import type { Caller } from '../caller.ts'

/** Limit of one end user, so that none uses up what all of a key's share. */
const OF_END_USER = { perSecond: 2, burst: 60 }
/** Different limits of keys that are kept at once; a limiter that is made again begins with full buckets. */
const MOST_LIMITS = 1_000

export interface KeyLimiter {
  /**
   * Takes a token of the caller's key, and for an end user first one of their own.
   * @throws RateLimitedError when there is none
   */
  take(caller: Pick<Caller, 'keyId' | 'rateLimit' | 'isEndUser' | 'virtualUserIds'>): RateHeaders | Promise<RateHeaders>
}

/** Limits the requests of each key: by its own limit, or else by the one of all keys. */
export function createKeyLimiter(createLimiter: CreateLimiter, limits: RateLimits): KeyLimiter {
  const ofAll = createLimiter('key', limits)
  const ofEndUsers = isUnlimited(limits) ? undefined : createLimiter('end user', OF_END_USER, 'This virtual user')
  const own = createLruCache<RateLimiter>(MOST_LIMITS)

  function ownLimiter(rateLimit: RateLimits): RateLimiter {
    const key = `${rateLimit.perSecond} ${rateLimit.burst}`
    const known = own.get(key)
    if (known) return known
    const made = createLimiter('key', rateLimit)
    own.set(key, made)
    return made
  }

  return {
    take({ keyId, rateLimit, isEndUser, virtualUserIds }) {
      const ofKey = rateLimit ? ownLimiter(rateLimit) : ofAll
      const taken = isEndUser && ofEndUsers?.take(`${keyId} ${virtualUserIds}`)
      return taken instanceof Promise ? taken.then(() => ofKey.take(keyId)) : ofKey.take(keyId)
    },
  }
}
