import { type Caller, SECOND_FACTOR_CHANGED } from '../../access/access.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { LastWayInError, PasskeyExistsError, PasskeyLimitError, PasskeyNotFoundError } from '../accounts.errors.ts'
import { recordOfAccount } from '../members/record-of-account.ts'
import type { AccountRecord } from '../profile/account.store.ts'
import { listIdentities } from '../providers/identities.store.ts'
import type { Challenge } from './challenge-cookie.ts'
import { type Asked, createPasskeyChecks, type PasskeyChecksOptions } from './passkey-checks.ts'
import type { MadePasskey, PasskeyAnswer } from './passkeys.schemas.ts'
import {
  deletePasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  type PasskeyRecord,
  updatePasskey,
} from './passkeys.store.ts'
import { checkMade, creationOptions, requestOptions, siteOf } from './webauthn.ts'

export type PasskeyServiceOptions = Pick<KernelParts, 'newId' | 'pubsub'> & PasskeyChecksOptions

const MOST_PASSKEYS = 20

type Request = Caller['request']

export type PasskeyService = ReturnType<typeof createPasskeyService>

/** Passkeys of accounts: WebAuthn credentials that sign in alone, or after a password as second factor. */
export function createPasskeyService(options: PasskeyServiceOptions) {
  const checks = createPasskeyChecks(options)
  return { ...createPasskeyUse(options, checks), ...createPasskeyChanges(options, checks) }
}

type Checks = ReturnType<typeof createPasskeyChecks>

/** Sign-ins and other proofs by a passkey. */
function createPasskeyUse({ db, publicUrl }: PasskeyServiceOptions, { requireSite, ask, check }: Checks) {
  return {
    /** Whether browsers make passkeys at the address of this server. */
    isOffered: (): boolean => siteOf(publicUrl()) !== undefined,

    list: (accountId: string): Promise<PasskeyRecord[]> => listPasskeys(db, accountId),

    hasAny: async (accountId: string): Promise<boolean> => (await listPasskeys(db, accountId)).length > 0,

    /** Challenge for a sign-in by any passkey of this server alone, with PIN, finger or face. @throws PasskeysNotSetUpError */
    async beginSignIn(): Promise<Asked> {
      return ask(requestOptions(requireSite(), { allowed: null, mustVerify: true }), 'sign-in', null)
    },

    /** Challenge for the passkeys of an account. @throws PasskeysNotSetUpError */
    async begin(purpose: 'second-factor' | 'proof', accountId: string): Promise<Asked> {
      const allowed = await listPasskeys(db, accountId)
      return ask(requestOptions(requireSite(), { allowed, mustVerify: false }), purpose, accountId)
    },

    /** @returns id of the account that the passkey is of. @throws PasskeyRefusedError, ChallengeExpiredError */
    async signIn(answer: PasskeyAnswer, challenge: Challenge | undefined): Promise<string> {
      return (await check(answer, challenge, 'sign-in', null)).accountId
    },

    /** Checks the answer of a passkey of the account. @throws PasskeyRefusedError, ChallengeExpiredError */
    async prove(
      accountId: string,
      answer: PasskeyAnswer,
      challenge: Challenge | undefined,
      purpose: 'second-factor' | 'proof',
    ): Promise<void> {
      await check(answer, challenge, purpose, accountId)
    },
  }
}

/** Changes of the passkeys of an account. */
function createPasskeyChanges(options: PasskeyServiceOptions, checks: Checks) {
  const { db, writes, clock, newId, pubsub } = options
  const { requireSite, ask, requireChallenge, useUp, refused } = checks
  return {
    /** Begins to add one to the account. @throws PasskeyLimitError, PasskeysNotSetUpError */
    async beginAdding(account: Pick<AccountRecord, 'id' | 'email' | 'name'>): Promise<Asked> {
      const site = requireSite()
      const existing = await listPasskeys(db, account.id)
      if (existing.length >= MOST_PASSKEYS) throw new PasskeyLimitError(MOST_PASSKEYS)
      return ask(await creationOptions(site, account, existing), 'adding', account.id)
    },

    /** Adds it. @throws PasskeyRefusedError, ChallengeExpiredError, PasskeyExistsError, PasskeyLimitError */
    async add(
      accountId: string,
      { name, passkey: made }: { name: string; passkey: MadePasskey },
      given: Challenge | undefined,
      request: Request,
    ): Promise<PasskeyRecord> {
      const site = requireSite()
      const challenge = requireChallenge(given, 'adding', accountId)
      const checked = await checkMade(site, challenge.value, made).catch((error) => refused(error))
      const at = isoNow(clock)
      const row: PasskeyRecord = {
        id: newId(),
        accountId,
        ...checked,
        transports: made.transports,
        name,
        createdAt: at,
        lastUsedAt: null,
      }
      await commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'passkeys', accountId)
        await takeAdvisoryLock(tx, 'passkey', row.credentialId)
        if ((await listPasskeys(tx, accountId)).length >= MOST_PASSKEYS) throw new PasskeyLimitError(MOST_PASSKEYS)
        if (await findPasskeyByCredential(tx, row.credentialId)) throw new PasskeyExistsError()
        await useUp(tx, challenge)
        await insertPasskey(tx, row)
        const details = { passkey_id: row.id }
        await recordOfAccount(tx, accountId, { action: 'member.passkey_added', at, request, details })
      })
      await pubsub.announce(SECOND_FACTOR_CHANGED, accountId)
      return row
    },

    /** @throws PasskeyNotFoundError */
    async rename(accountId: string, passkeyId: string, name: string): Promise<PasskeyRecord> {
      return commitChecked(writes, async (tx) => {
        const row = await requirePasskey(tx, accountId, passkeyId)
        await updatePasskey(tx, passkeyId, { name })
        return { ...row, name }
      })
    },

    /** @throws PasskeyNotFoundError, LastWayInError for the only way into an account without a password */
    async remove(account: AccountRecord, passkeyId: string, request: Request): Promise<void> {
      await commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'ways in', account.id)
        await requirePasskey(tx, account.id, passkeyId)
        const all = await listPasskeys(tx, account.id)
        if (!account.passwordHash && all.length === 1 && (await listIdentities(tx, account.id)).length === 0)
          throw new LastWayInError()
        await deletePasskey(tx, passkeyId)
        const details = { passkey_id: passkeyId }
        await recordOfAccount(tx, account.id, { action: 'member.passkey_removed', at: isoNow(clock), request, details })
      })
      await pubsub.announce(SECOND_FACTOR_CHANGED, account.id)
    },
  }
}

/** @throws PasskeyNotFoundError, also for one of another account */
async function requirePasskey(tx: Tx, accountId: string, passkeyId: string): Promise<PasskeyRecord> {
  const row = (await listPasskeys(tx, accountId)).find(({ id }) => id === passkeyId)
  if (!row) throw new PasskeyNotFoundError()
  return row
}
