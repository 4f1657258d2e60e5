import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { RateLimitedError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'
import { UnauthorizedError } from '../access.errors.ts'

export type FailedAttempts = ReturnType<typeof createFailedAttempts>

/**
 * Keys, sessions, visits and sign-ins that failed, by the address that they came from: beyond this many a minute it is
 * asked to wait. A good key still works from that address, since others may share it.
 * @param perMinute 0 for any number
 */
export function createFailedAttempts(createLimiter: CreateLimiter, perMinute: number) {
  const limiter = createLimiter('failed', { perSecond: perMinute / 60, burst: perMinute, isExact: true })

  /** @throws RateLimitedError where there were too many */
  async function count(address: string): Promise<void> {
    try {
      await limiter.take(networkOf(address))
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error
      const { retryAfterSeconds: seconds } = error
      const message = `More than ${perMinute} keys or sign-ins a minute failed from this address; wait ${seconds} s`
      throw new RateLimitedError(message, seconds)
    }
  }

  return {
    count,

    /** Passes on why somebody was not admitted, and counts it where it was their key, session or token. */
    async refuse(address: string, error: unknown): Promise<never> {
      if (error instanceof UnauthorizedError) await count(address)
      throw error
    },
  }
}
