import { RateLimitedError } from './access.errors.ts'

export interface RateLimits {
  /** Tokens a second; 0 switches the limit off. */
  perSecond: number
  /** Tokens that a rested key has; 0 switches the limit off. */
  burst: number
}

export interface RateLimiter {
  /**
   * Takes one token of the key's bucket.
   * @returns the headers that tell how much is left (IETF draft-ietf-httpapi-ratelimit-headers), none if unlimited.
   * @throws RateLimitedError when the bucket is empty.
   */
  take(keyId: string): Record<string, string> | undefined
}

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * A token bucket for each key.
 * @param who has too much, in words
 */
export function createRateLimiter(
  { perSecond, burst }: RateLimits,
  now: () => number = () => performance.now(),
  who = 'This API key',
): RateLimiter {
  if (perSecond === 0 || burst === 0) return { take: () => undefined }
  const buckets = new Map<string, Bucket>()
  const fillSeconds = Math.max(1, Math.ceil(burst / perSecond))
  const policy = `"default";q=${burst};w=${fillSeconds}`

  function bucketOf(keyId: string): Bucket {
    const at = now()
    let bucket = buckets.get(keyId)
    if (!bucket) {
      if (buckets.size > 10_000) buckets.clear()
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
      const headers = { 'ratelimit-policy': policy, ratelimit: '' }
      if (bucket.tokens < 1) {
        const waitSeconds = Math.ceil((1 - bucket.tokens) / perSecond)
        const error = new RateLimitedError(
          `${who} sends more than ${rateOf(perSecond)}; wait ${waitSeconds} s`,
          waitSeconds,
        )
        headers.ratelimit = `"default";r=0;t=${waitSeconds}`
        throw Object.assign(error, { headers })
      }
      bucket.tokens -= 1
      const left = Math.floor(bucket.tokens)
      headers.ratelimit = `"default";r=${left};t=${Math.ceil((burst - left) / perSecond)}`
      return headers
    },
  }
}

const rateOf = (perSecond: number): string =>
  perSecond < 1 ? `${Math.round(perSecond * 60)} requests a minute` : `${perSecond} requests a second`
