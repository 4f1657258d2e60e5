import { createHash } from 'node:crypto'
import type { CreateLimiter, RateLimits } from '../../platform/cluster/limits/rate-limit.ts'
import { RateLimitedError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'

const perMinute = (count: number, burst: number) => ({ perSecond: count / 60, burst, isExact: true })

/** Attempts by address, by address and account, and by account from all addresses. */
interface AttemptLimits {
  /** Tells the limits of one kind of attempt from those of another. */
  scope: string
  /** Verb for the message: too many attempts to do it. */
  what: string
  ofAddress: RateLimits
  ofBoth: RateLimits
  ofAccount: RateLimits
}

export const SIGN_IN: AttemptLimits = {
  scope: 'sign-in',
  what: 'sign in',
  ofAddress: perMinute(30, 60),
  ofBoth: perMinute(1, 10),
  ofAccount: perMinute(10, 100),
}

/**
 * Six digits are soon guessed, and whoever may try them knows the password: so few that a year of guessing does not do.
 */
export const SECOND_FACTOR: AttemptLimits = {
  scope: 'second-factor',
  what: 'enter a code',
  ofAddress: perMinute(30, 60),
  ofBoth: perMinute(20 / 60, 10),
  ofAccount: perMinute(20 / 60, 20),
}

export const FORGOTTEN: AttemptLimits = {
  scope: 'forgotten',
  what: 'get a new password',
  ofAddress: perMinute(5, 20),
  ofBoth: perMinute(3 / 60, 3),
  ofAccount: perMinute(10 / 60, 10),
}

export type Limits = ReturnType<typeof createLimits>

/**
 * Counts attempts before anything is looked at, so that beyond them not even the right password is admitted. One
 * address alone never uses up the limit of an account, so nobody keeps somebody else out from one place; sessions that
 * are there continue anyway.
 */
export function createLimits(createLimiter: CreateLimiter, { scope, what, ...limits }: AttemptLimits) {
  const ofAddress = createLimiter(`${scope} address`, limits.ofAddress)
  const ofBoth = createLimiter(scope, limits.ofBoth)
  const ofAccount = createLimiter(`${scope} account`, limits.ofAccount)

  return {
    /** @param email what an attempt is about, whether there is such an account or not. @throws RateLimitedError */
    async take(address: string, email: string): Promise<void> {
      const network = networkOf(address)
      // The table of limits holds hashes instead of names of people.
      const about = createHash('sha256').update(email).digest('base64url')
      await namingAttempt(what, async () => {
        await ofAddress.take(network)
        await ofBoth.take(`${network} ${about}`)
        await ofAccount.take(about)
      })
    },
  }
}

/** Says in the error what there were too many attempts to do. @throws RateLimitedError */
export async function namingAttempt(what: string, take: () => Promise<void>): Promise<void> {
  try {
    await take()
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error
    const { retryAfterSeconds: seconds } = error
    throw new RateLimitedError(`There were too many attempts to ${what}; wait ${seconds} s`, seconds)
  }
}
