import { createHash } from 'node:crypto'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { ChallengeExpiredError, PasskeyRefusedError, PasskeysNotSetUpError } from '../accounts.errors.ts'
import { CHALLENGE_MS, type Challenge } from './challenge-cookie.ts'
import type { PasskeyAnswer } from './passkeys.schemas.ts'
import {
  findPasskeyByCredential,
  isChallengeUsed,
  keepUsedChallenge,
  type PasskeyRecord,
  updatePasskey,
} from './passkeys.store.ts'
import { checkAnswer, type Site, siteOf } from './webauthn.ts'

export interface PasskeyChecksOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'writes'> {
  /** Address at which people reach the server: passkeys are made for it. */
  publicUrl(): string
}

/** Options for a browser, and the challenge in them that its answer is checked against. */
export interface Asked {
  options: object
  challenge: Challenge
}

/** Checks of challenges, and of what passkeys answer to them. */
export function createPasskeyChecks({ db, writes, clock, logger, publicUrl }: PasskeyChecksOptions) {
  /** @throws PasskeysNotSetUpError */
  function requireSite(): Site {
    const site = siteOf(publicUrl())
    if (!site) throw new PasskeysNotSetUpError()
    return site
  }

  function ask(made: { challenge: string }, purpose: Challenge['purpose'], accountId: string | null): Asked {
    const expiresAt = clock().getTime() + CHALLENGE_MS
    return { options: made, challenge: { value: made.challenge, purpose, accountId, expiresAt } }
  }

  /** @throws ChallengeExpiredError unless it was made for this, and not too long ago */
  function requireChallenge(
    challenge: Challenge | undefined,
    purpose: Challenge['purpose'],
    accountId: string | null,
  ): Challenge {
    const isIt = challenge?.purpose === purpose && challenge.accountId === accountId
    if (!isIt || challenge.expiresAt <= clock().getTime()) throw new ChallengeExpiredError()
    return challenge
  }

  /** Uses the challenge up, in a transaction that has the lock of the account. @throws ChallengeExpiredError */
  async function useUp(tx: Tx, { value, expiresAt }: Challenge): Promise<void> {
    const hash = createHash('sha256').update(value).digest('hex')
    if (await isChallengeUsed(tx, hash)) throw new ChallengeExpiredError()
    await keepUsedChallenge(tx, { hash, expiresAt: new Date(expiresAt).toISOString(), now: isoNow(clock) })
  }

  /** Says why in the log alone: the person could do nothing with it. */
  const refused = (why: unknown, passkeyId?: string): never => {
    const reason = why instanceof Error ? why.message : String(why)
    logger.warn({ reason, passkey_id: passkeyId }, 'a passkey was refused')
    throw new PasskeyRefusedError()
  }

  /** @param expected account whose passkey it has to be; null for any. @throws PasskeyRefusedError, ChallengeExpiredError */
  async function check(
    answer: PasskeyAnswer,
    given: Challenge | undefined,
    purpose: Exclude<Challenge['purpose'], 'adding'>,
    expected: string | null,
  ): Promise<PasskeyRecord> {
    const site = requireSite()
    const challenge = requireChallenge(given, purpose, expected)
    const passkey = await findPasskeyByCredential(db, answer.id)
    if (!passkey || (expected !== null && passkey.accountId !== expected))
      return refused('The passkey is not known, or of another account')
    const holder = answer.user_handle && Buffer.from(answer.user_handle, 'base64url').toString()
    // A passkey alone says whose it is; as second factor it may leave that out.
    if (holder === null ? expected === null : holder !== passkey.accountId)
      return refused('The passkey says that it is of another account', passkey.id)
    const mustVerify = purpose === 'sign-in'
    const counter = await checkAnswer(site, challenge.value, { answer, passkey, mustVerify }).catch((error) =>
      refused(error, passkey.id),
    )
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'passkeys', passkey.accountId)
      const now = await findPasskeyByCredential(tx, answer.id)
      if (now?.id !== passkey.id) throw new PasskeyRefusedError()
      // Looked at again under the lock: two answers of one device may come at the same time.
      if ((counter > 0 || now.counter > 0) && counter <= now.counter) throw new PasskeyRefusedError()
      await useUp(tx, challenge)
      await updatePasskey(tx, passkey.id, { counter, lastUsedAt: isoNow(clock) })
    })
    return passkey
  }

  return { requireSite, ask, requireChallenge, useUp, refused, check }
}
