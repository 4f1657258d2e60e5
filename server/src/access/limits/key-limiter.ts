import { LRUCache } from 'lru-cache'
import type { CreateLimiter, RateHeaders, RateLimiter, RateLimits } from '../../platform/cluster/limits/rate-limit.ts'
import type { Caller } from '../caller.ts'

/** Different limits of keys that are kept at once; a limiter that is made again begins with full buckets. */
const MOST_LIMITS = 1_000

export interface KeyLimiter {
  /** Takes a token of the caller's key. @throws RateLimitedError when there is none */
  take(caller: Pick<Caller, 'keyId' | 'rateLimit'>): RateHeaders | Promise<RateHeaders>
}

/** Limits the requests of each key: by its own limit, or else by the one of all keys. */
export function createKeyLimiter(createLimiter: CreateLimiter, limits: RateLimits): KeyLimiter {
  const ofAll = createLimiter('key', limits)
  const own = new LRUCache<string, RateLimiter>({ max: MOST_LIMITS })

  function ownLimiter(rateLimit: RateLimits): RateLimiter {
    const key = `${rateLimit.perSecond} ${rateLimit.burst}`
    const known = own.get(key)
    if (known) return known
    const made = createLimiter('key', rateLimit)
    own.set(key, made)
    return made
  }

  return {
    take: ({ keyId, rateLimit }) => (rateLimit ? ownLimiter(rateLimit) : ofAll).take(keyId),
  }
}
