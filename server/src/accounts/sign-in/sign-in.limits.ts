import { createHash } from 'node:crypto'
import { RateLimitedError } from '../../access/access.errors.ts'
import type { CreateLimiter } from '../../access/limits/rate-limit.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'

const perMinute = (count: number, burst: number) => ({ perSecond: count / 60, burst, isExact: true })

export type SignInLimits = ReturnType<typeof createSignInLimits>

/**
 * Attempts to sign in, counted before a password is looked at, so that beyond them not even the right one is let in: by
 * address, by address and account, and by account whatever the address. One address alone never uses up the last, so
 * nobody keeps somebody else out from one place; sessions that are there go on anyway.
 */
export function createSignInLimits(createLimiter: CreateLimiter) {
  const ofAddress = createLimiter('sign-in address', perMinute(30, 60))
  const ofBoth = createLimiter('sign-in', perMinute(1, 10))
  const ofAccount = createLimiter('sign-in account', perMinute(10, 100))

  return {
    /** @param account e-mail or id: what an attempt is about, whether there is such an account or not. @throws RateLimitedError */
    async take(address: string, account: string): Promise<void> {
      const network = networkOf(address)
      // Of people nothing but hashes stands in the table of limits.
      const about = createHash('sha256').update(account).digest('base64url')
      try {
        await ofAddress.take(network)
        await ofBoth.take(`${network} ${about}`)
        await ofAccount.take(about)
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error
        const { retryAfterSeconds: seconds } = error
        throw new RateLimitedError(`There were too many attempts to sign in; wait ${seconds} s`, seconds)
      }
    },
  }
}
