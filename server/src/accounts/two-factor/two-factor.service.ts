import { type Caller, ForbiddenError, RANK, SECOND_FACTOR_CHANGED } from '../../access/access.ts'
import { type AuditRecord, recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { adminCommand } from '../../platform/host/commands.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import { PasswordNeededError, TwoFactorIsOffError, TwoFactorIsOnError, WrongCodeError } from '../accounts.errors.ts'
import { type MemberService, requireWhole } from '../members/members.service.ts'
import { listMemberships } from '../members/memberships.store.ts'
import { recordOfAccount } from '../members/record-of-account.ts'
import { deleteSecondFactorsOf } from '../passkeys/delete-second-factors.ts'
import type { AccountRecord } from '../profile/account.store.ts'
import type { Limits } from '../sign-in/sign-in.limits.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'
import {
  confirmTwoFactor,
  countRecoveryCodes,
  deleteTwoFactorOf,
  findTwoFactor,
  insertTwoFactor,
  setRecoveryCodes,
  type TwoFactorRecord,
  takeRecoveryCode,
  takeStep,
} from './two-factor.store.ts'

export interface TwoFactorServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'pubsub' | 'writes'> {
  members: MemberService
  codeLimits: Limits
  getSecret(use: 'secrets'): Promise<string>
}

type Account = Pick<AccountRecord, 'id' | 'email' | 'passwordHash'>
type Request = Caller['request']

export type TwoFactorService = ReturnType<typeof createTwoFactorService>

/** Second factor of accounts: codes of an authenticator app, each of which counts once, and recovery codes. */
export function createTwoFactorService(options: TwoFactorServiceOptions) {
  const { db, writes, clock, pubsub, members, codeLimits, getSecret } = options
  const { box, record, useAppCode, useCode, renewCodes } = createCodeUse({ clock, getSecret })
  const tellChanged = (accountId: string) => pubsub.announce(SECOND_FACTOR_CHANGED, accountId)
  return {
    /** Second factor of an account; null where none is asked for. */
    async describe(accountId: string) {
      const twoFactor = await findTwoFactor(db, accountId)
      if (!twoFactor?.confirmedAt) return null
      return { confirmedAt: twoFactor.confirmedAt, recoveryCodesLeft: await countRecoveryCodes(db, accountId) }
    },

    isOn: async (accountId: string): Promise<boolean> => (await findTwoFactor(db, accountId))?.confirmedAt != null,

    /** Checks the code of somebody who proved to know the password. @throws WrongCodeError, RateLimitedError */
    async prove(accountId: string, code: string, address: string, request: Request): Promise<void> {
      await codeLimits.take(address, accountId)
      await commitChecked(writes, (tx) => useCode(tx, accountId, code, request))
    },

    /**
     * Makes the secret of an app, which counts once a code of it was entered; one that was begun before ends.
     * @throws PasswordNeededError, TwoFactorIsOnError
     */
    async begin({ id, email, passwordHash }: Account): Promise<{ secret: string; uri: string }> {
      if (!passwordHash) throw new PasswordNeededError()
      const secret = await newTotpSecret()
      const sealed = (await box.get()).seal(secret, id)
      await commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'two-factor', id)
        if ((await findTwoFactor(tx, id))?.confirmedAt) throw new TwoFactorIsOnError()
        await deleteTwoFactorOf(tx, id)
        const createdAt = isoNow(clock)
        await insertTwoFactor(tx, { accountId: id, secret: sealed, lastStep: 0, createdAt, confirmedAt: null })
      })
      return { secret, uri: await totpUri(secret, email) }
    },

    /** Turns it on. @returns the recovery codes, this once. @throws WrongCodeError, TwoFactorIsOnError, TwoFactorIsOffError */
    async confirm({ id }: Account, code: string, address: string, request: Request): Promise<string[]> {
      await codeLimits.take(address, id)
      const codes = await commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'two-factor', id)
        const twoFactor = await findTwoFactor(tx, id)
        if (!twoFactor) throw new TwoFactorIsOffError()
        if (twoFactor.confirmedAt) throw new TwoFactorIsOnError()
        await useAppCode(tx, twoFactor, code)
        await confirmTwoFactor(tx, id, isoNow(clock))
        await record(tx, id, 'member.two_factor_on', request)
        return renewCodes(tx, id)
      })
      await tellChanged(id)
      return codes
    },

    /** Makes other recovery codes; the ones until now end. @throws WrongCodeError, TwoFactorIsOffError */
    async renewRecoveryCodes({ id }: Account, code: string, address: string, request: Request): Promise<string[]> {
      await codeLimits.take(address, id)
      return commitChecked(writes, async (tx) => {
        await useCode(tx, id, code, request)
        await record(tx, id, 'member.recovery_codes_made', request)
        return renewCodes(tx, id)
      })
    },

    /** Turns it off. @throws WrongCodeError, TwoFactorIsOffError */
    async remove({ id }: Account, code: string, address: string, request: Request): Promise<void> {
      await codeLimits.take(address, id)
      await commitChecked(writes, async (tx) => {
        await useCode(tx, id, code, request)
        await deleteTwoFactorOf(tx, id)
        await record(tx, id, 'member.two_factor_off', request)
      })
      await tellChanged(id)
    },

    /**
     * Turns it off, and removes the passkeys, for a member who lost what they need for it. The password alone then opens the account, so it
     * must be nowhere where the caller may do less. @throws MemberNotFoundError, ForbiddenError, TwoFactorIsOffError
     */
    async removeFor(caller: Caller, memberId: string): Promise<void> {
      requireWhole(caller)
      const { accountId } = await members.getToManage(caller, memberId)
      await commitChecked(writes, async (tx) => {
        const isBelow = (await listMemberships(tx, accountId)).every(
          ({ workspaceId, role }) => workspaceId === caller.workspaceId && RANK[role] <= RANK[caller.role],
        )
        if (!isBelow)
          throw new ForbiddenError(
            `This account is a member of other workspaces or has a higher role: only an operator can turn its second factor off (${adminCommand('remove-second-factor EMAIL')})`,
          )
        if (!(await deleteSecondFactorsOf(tx, accountId))) throw new TwoFactorIsOffError()
        const target = { type: 'member', id: memberId } as const
        await recordAudit(tx, caller, { action: 'member.two_factor_off', at: isoNow(clock), target })
      })
      await tellChanged(accountId)
    },
  }
}

/** Parts of transactions that use codes up, and record it. */
function createCodeUse({ clock, getSecret }: Pick<TwoFactorServiceOptions, 'clock' | 'getSecret'>) {
  const box = lazy(async () => createSecretBox(await getSecret('secrets'), 'two-factor'))

  const record = (tx: Tx, accountId: string, action: AuditRecord['action'], request?: Request): Promise<void> =>
    recordOfAccount(tx, accountId, { action, at: isoNow(clock), request })

  /** @throws TwoFactorIsOffError */
  async function requireOn(tx: Tx, accountId: string): Promise<TwoFactorRecord> {
    const twoFactor = await findTwoFactor(tx, accountId)
    if (!twoFactor?.confirmedAt) throw new TwoFactorIsOffError()
    return twoFactor
  }

  /** Uses the code up. @throws WrongCodeError also for one that was used */
  async function useAppCode(tx: Tx, twoFactor: TwoFactorRecord, code: string): Promise<void> {
    const secret = (await box.get()).open(twoFactor.secret, twoFactor.accountId)
    const step = await stepOfCode(secret, code.replaceAll(/\D/g, ''), clock().getTime())
    if (step === null || !(await takeStep(tx, twoFactor.accountId, step))) throw new WrongCodeError()
  }

  /** Uses up a code of the app or a recovery code. @throws WrongCodeError, TwoFactorIsOffError */
  async function useCode(tx: Tx, accountId: string, code: string, request: Request): Promise<void> {
    const twoFactor = await requireOn(tx, accountId)
    if (/^[\d\s]+$/.test(code) && code.replaceAll(/\s/g, '').length === 6) return useAppCode(tx, twoFactor, code)
    if (!(await takeRecoveryCode(tx, accountId, hashRecoveryCode(code)))) throw new WrongCodeError()
    await record(tx, accountId, 'member.recovery_code_used', request)
  }

  async function renewCodes(tx: Tx, accountId: string): Promise<string[]> {
    const codes = newRecoveryCodes()
    await setRecoveryCodes(tx, accountId, codes.map(hashRecoveryCode))
    return codes
  }

  return { box, record, useAppCode, useCode, renewCodes }
}
