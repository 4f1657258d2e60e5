import { RateLimitedError } from '../../errors.ts'
import { createLruCache } from '../../lru-cache.ts'

export interface RateLimits {
  /** Tokens a second; 0 switches the limit off. */
  perSecond: number
  /** Tokens that a rested key has; 0 switches the limit off. */
  burst: number
  /** Whether processes take each token by itself, so that none is lost that a process had to spare. Default: no. */
  isExact?: boolean
}

/** Rest of the limit, as headers (IETF draft-ietf-httpapi-ratelimit-headers); none if unlimited. */
export type RateHeaders = Record<string, string> | undefined

export interface RateLimiter {
  /**
   * Takes one token of the key's bucket: at once where this process knows that it has one.
   * @throws RateLimitedError when the bucket is empty.
   */
  take(keyId: string): RateHeaders | Promise<RateHeaders>
}

/**
 * Makes a limiter, for all processes of the installation together.
 * @param scope tells its buckets from those of others
 * @param who has too much, in words
 */
export type CreateLimiter = (scope: string, limits: RateLimits, who?: string) => RateLimiter

export const isUnlimited = ({ perSecond, burst }: RateLimits): boolean => perSecond === 0 || burst === 0

/** Headers that tell callers their limit. */
export function wordsOf({ perSecond, burst }: RateLimits, who = 'This API key') {
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`
  return {
    headers(tokens: number): Record<string, string> {
      const left = Math.max(0, Math.floor(tokens))
      return {
        'ratelimit-policy': policy,
        ratelimit: `"default";r=${left};t=${Math.ceil((burst - left) / perSecond)}`,
      }
    },
    refusal(tokens: number): RateLimitedError {
      const waitSeconds = Math.max(1, Math.ceil((1 - tokens) / perSecond))
      const error = new RateLimitedError(
        `${who} sends more than ${rateOf(perSecond)}; wait ${waitSeconds} s`,
        waitSeconds,
      )
      return Object.assign(error, {
        headers: { 'ratelimit-policy': policy, ratelimit: `"default";r=0;t=${waitSeconds}` },
      })
    },
  }
}

const rateOf = (perSecond: number): string =>
  perSecond < 1 ? `${Math.round(perSecond * 60)} requests a minute` : `${perSecond} requests a second`

/** Buckets that are kept: a caller that has not asked for longest begins with a full one again. */
export const MOST_BUCKETS = 10_000

interface Bucket {
  tokens: number
  filledAt: number
}

/** A token bucket for each key, in the memory of this process. */
export function createRateLimiter(
  limits: RateLimits,
  now: () => number = () => performance.now(),
  who?: string,
): { take(keyId: string): RateHeaders } {
  if (isUnlimited(limits)) return { take: () => undefined }
  const { perSecond, burst } = limits
  const words = wordsOf(limits, who)
  const buckets = createLruCache<Bucket>(MOST_BUCKETS)

  function bucketOf(keyId: string): Bucket {
    const at = now()
    let bucket = buckets.get(keyId)
    if (!bucket) {
      bucket = { tokens: burst, filledAt: at }
      buckets.set(keyId, bucket)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.filledAt) / 1000) * perSecond)
    bucket.filledAt = at
    return bucket
  }

  return {
    take(keyId) {
      const bucket = bucketOf(keyId)
      if (bucket.tokens < 1) throw words.refusal(bucket.tokens)
      bucket.tokens -= 1
      return words.headers(bucket.tokens)
    },
  }
}
