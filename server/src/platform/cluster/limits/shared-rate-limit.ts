import { deadline } from '../../concurrency/deadline.ts'
import { createLruCache } from '../../lru-cache.ts'
import { SPARE_MS, type TokenLeases } from '../locks/token-leases.ts'
import {
  type CreateLimiter,
  createRateLimiter,
  isUnlimited,
  MOST_BUCKETS,
  type RateHeaders,
  type RateLimiter,
  type RateLimits,
  wordsOf,
} from './rate-limit.ts'

const PATIENCE_MS = 2_000
/** Time during which this process counts alone, after the database was too slow. */
const ALONE_MS = 5_000
/** Share of a burst that one process may have to spare at most. */
const LARGEST_SPARE = 1 / 20

export interface SharedLimiterOptions {
  leases: TokenLeases
  /** How many processes share the limits. */
  countProcesses(): number
  /** Called when a process begins to count alone. */
  onAlone(error: unknown): void
  /** Longest time that a request waits for its token; default: 2 seconds. */
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
    isUnlimited(limits) ? { take: () => undefined } : new SharedRateLimiter(options, scope, limits, who)

class SharedRateLimiter implements RateLimiter {
  readonly #options: SharedLimiterOptions
  readonly #scope: string
  readonly #limits: RateLimits
  readonly #who: string | undefined
  readonly #words: ReturnType<typeof wordsOf>
  readonly #buckets = createLruCache<Known>(MOST_BUCKETS)
  #aloneUntil = 0
  #alone: { processes: number; limiter: ReturnType<typeof createRateLimiter> } | undefined

  constructor(options: SharedLimiterOptions, ...[scope, limits, who]: Parameters<CreateLimiter>) {
    this.#options = options
    this.#scope = scope
    this.#limits = limits
    this.#who = who
    this.#words = wordsOf(limits, who)
  }

  take(keyId: string): RateHeaders | Promise<RateHeaders> {
    const now = performance.now()
    if (now < this.#aloneUntil) return this.#takeAlone(keyId)
    const known = this.#bucketOf(keyId)
    if (known.spare >= 1 && now < known.spareUntil) return this.#give(known, now)
    // Others can only have taken of it since.
    const tokens = this.#tokensOf(known, now)
    if (known.leftAt > 0 && tokens < 1) throw this.#words.refusal(tokens)
    return new Promise((resolve, reject) => {
      known.waiting.push({ resolve, reject })
      if (!known.isAsking) this.#ask(keyId, known).catch(reject)
    })
  }

  #bucketOf(keyId: string): Known {
    let known = this.#buckets.get(keyId)
    if (!known) {
      const nothing = { spare: 0, spareUntil: 0, left: 1, leftAt: 0, taken: 0, takenBefore: 0, stretch: 0 }
      known = { ...nothing, waiting: [], isAsking: false }
      this.#buckets.set(keyId, known)
    }
    return known
  }

  /** Number of tokens left, as far as this process knows. */
  #tokensOf({ left, leftAt }: Known, now: number): number {
    const { perSecond, burst } = this.#limits
    return Math.min(burst, left + ((now - leftAt) / 1000) * perSecond)
  }

  #give(known: Known, now: number): RateHeaders {
    known.spare -= 1
    countTaken(known, now)
    return this.#words.headers(this.#tokensOf(known, now) + known.spare)
  }

  #takeAlone(keyId: string): RateHeaders {
    const { perSecond, burst } = this.#limits
    const processes = Math.max(1, this.#options.countProcesses())
    if (processes !== this.#alone?.processes) {
      const limits = { perSecond: perSecond / processes, burst: Math.max(1, Math.floor(burst / processes)) }
      this.#alone = { processes, limiter: createRateLimiter(limits, undefined, this.#who) }
    }
    return this.#alone.limiter.take(keyId)
  }

  /** Leases tokens until nobody waits for one of this bucket. */
  async #ask(keyId: string, known: Known): Promise<void> {
    known.isAsking = true
    while (known.waiting.length > 0) {
      try {
        await this.#lease(keyId, known)
      } catch (error) {
        this.#aloneUntil = performance.now() + ALONE_MS
        this.#options.onAlone(error)
        this.#serveAlone(keyId, known)
      }
    }
    known.isAsking = false
  }

  async #lease(keyId: string, known: Known): Promise<void> {
    const { leases, patienceMs = PATIENCE_MS } = this.#options
    const { perSecond, burst } = this.#limits
    const need = known.waiting.length
    const askedAt = performance.now()
    const asked = { id: `${this.#scope} ${keyId}`, perSecond, burst, need, spare: this.#spareFor(known, askedAt) }
    const { granted, left } = await deadline(leases.lease(asked), patienceMs)
    const now = performance.now()
    Object.assign(known, { spare: granted, spareUntil: askedAt + SPARE_MS, left, leftAt: now })
    for (const { resolve, reject } of known.waiting.splice(0, need))
      if (known.spare >= 1) resolve(this.#give(known, now))
      else reject(this.#words.refusal(left))
  }

  /** Number of tokens to reserve: as many as the key used lately, within bounds. */
  #spareFor({ stretch, taken, takenBefore }: Known, now: number): number {
    const { burst, isExact = false } = this.#limits
    const isRecent = stretch >= Math.floor(now / SPARE_MS) - 1
    const usual = isRecent ? Math.max(taken, takenBefore) : 0
    return isExact ? 0 : Math.min(usual, Math.floor(burst * LARGEST_SPARE))
  }

  #serveAlone(keyId: string, known: Known): void {
    for (const { resolve, reject } of known.waiting.splice(0))
      try {
        resolve(this.#takeAlone(keyId))
      } catch (refusal) {
        reject(refusal as Error)
      }
  }
}

function countTaken(known: Known, now: number): void {
  const stretch = Math.floor(now / SPARE_MS)
  if (stretch !== known.stretch) {
    known.takenBefore = stretch === known.stretch + 1 ? known.taken : 0
    known.taken = 0
    known.stretch = stretch
  }
  known.taken += 1
}
