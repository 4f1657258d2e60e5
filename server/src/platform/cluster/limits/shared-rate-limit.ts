import { LRUCache } from 'lru-cache'
import { deadline } from '../../concurrency/deadline.ts'
import { SPARE_MS, type TokenLeases } from '../locks/token-leases.ts'
import {
  type CreateLimiter,
  createRateLimiter,
  isUnlimited,
  MOST_BUCKETS,
  type RateHeaders,
  type RateLimiter,
  wordsOf,
} from './rate-limit.ts'

const PATIENCE_MS = 2_000
/** For so long after a database that was too slow, this process counts alone. */
const ALONE_MS = 5_000
/** Share of a burst that one process may have to spare at most. */
const LARGEST_SPARE = 1 / 20

export interface SharedLimiterOptions {
  leases: TokenLeases
  /** How many processes share the limits. */
  countProcesses(): number
  /** Told when a process begins to count alone. */
  onAlone(error: unknown): void
  /** For so long a request waits for its token; default: 2 seconds. */
  patienceMs?: number
}

/** State of a bucket, as this process knows it. */
interface Known {
  spare: number
  spareUntil: number
  /** Tokens in the bucket after the last lease. */
  left: number
  leftAt: number
  /** Tokens that went to requests in the present and the previous stretch of `SPARE_MS`. */
  taken: number
  takenBefore: number
  stretch: number
  waiting: { resolve(headers: RateHeaders): void; reject(error: Error): void }[]
  isAsking: boolean
}

/**
 * Limits for all processes together. Tokens are leased from the database as requests come: for those that wait, and, for
 * a key that sends many, some to spare. So all processes together never give more than the bucket has; what one has to
 * spare and does not use is lost after a tenth of a second. While the database takes too long, each process gives its
 * part of the limit.
 */
export const createSharedLimiters =
  (options: SharedLimiterOptions): CreateLimiter =>
  (scope, limits, who) =>
    isUnlimited(limits) ? { take: () => undefined } : createSharedLimiter(options, scope, limits, who)

function createSharedLimiter(
  { leases, countProcesses, onAlone, patienceMs = PATIENCE_MS }: SharedLimiterOptions,
  ...[scope, { perSecond, burst, isExact = false }, who]: Parameters<CreateLimiter>
): RateLimiter {
  const words = wordsOf({ perSecond, burst }, who)
  // Made on first use, as those of a limit in one process are.
  let buckets: LRUCache<string, Known> | undefined
  let aloneUntil = 0
  let alone = { processes: 0, limiter: createRateLimiter({ perSecond, burst }) }

  function bucketOf(keyId: string): Known {
    buckets ??= new LRUCache({ max: MOST_BUCKETS })
    let known = buckets.get(keyId)
    if (!known) {
      const nothing = { spare: 0, spareUntil: 0, left: 1, leftAt: 0, taken: 0, takenBefore: 0, stretch: 0 }
      known = { ...nothing, waiting: [], isAsking: false }
      buckets.set(keyId, known)
    }
    return known
  }

  /** As far as this process can tell. */
  const tokensOf = ({ left, leftAt }: Known, now: number) => Math.min(burst, left + ((now - leftAt) / 1000) * perSecond)

  function give(known: Known, now: number): RateHeaders {
    known.spare -= 1
    count(known, now)
    return words.headers(tokensOf(known, now) + known.spare)
  }

  function count(known: Known, now: number): void {
    const stretch = Math.floor(now / SPARE_MS)
    if (stretch !== known.stretch) {
      known.takenBefore = stretch === known.stretch + 1 ? known.taken : 0
      known.taken = 0
      known.stretch = stretch
    }
    known.taken += 1
  }

  function takeAlone(keyId: string): RateHeaders {
    const processes = Math.max(1, countProcesses())
    if (processes !== alone.processes) {
      const limits = { perSecond: perSecond / processes, burst: Math.max(1, Math.floor(burst / processes)) }
      alone = { processes, limiter: createRateLimiter(limits, undefined, who) }
    }
    return alone.limiter.take(keyId)
  }

  async function ask(keyId: string, known: Known): Promise<void> {
    known.isAsking = true
    while (known.waiting.length > 0) {
      const need = known.waiting.length
      const askedAt = performance.now()
      const isRecent = known.stretch >= Math.floor(askedAt / SPARE_MS) - 1
      const usual = isRecent ? Math.max(known.taken, known.takenBefore) : 0
      const spare = isExact ? 0 : Math.min(usual, Math.floor(burst * LARGEST_SPARE))
      try {
        const asked = { id: `${scope} ${keyId}`, perSecond, burst, need, spare }
        const { granted, left } = await deadline(leases.lease(asked), patienceMs)
        const now = performance.now()
        Object.assign(known, { spare: granted, spareUntil: askedAt + SPARE_MS, left, leftAt: now })
        for (const { resolve, reject } of known.waiting.splice(0, need))
          if (known.spare >= 1) resolve(give(known, now))
          else reject(words.refusal(left))
      } catch (error) {
        aloneUntil = performance.now() + ALONE_MS
        onAlone(error)
        for (const { resolve, reject } of known.waiting.splice(0))
          try {
            resolve(takeAlone(keyId))
          } catch (refusal) {
            reject(refusal as Error)
          }
      }
    }
    known.isAsking = false
  }

  return {
    take(keyId) {
      const now = performance.now()
      if (now < aloneUntil) return takeAlone(keyId)
      const known = bucketOf(keyId)
      if (known.spare >= 1 && now < known.spareUntil) return give(known, now)
      // Others can only have taken of it since.
      const tokens = tokensOf(known, now)
      if (known.leftAt > 0 && tokens < 1) throw words.refusal(tokens)
      return new Promise((resolve, reject) => {
        known.waiting.push({ resolve, reject })
        if (!known.isAsking) ask(keyId, known).catch(reject)
      })
    },
  }
}
