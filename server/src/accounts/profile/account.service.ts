import {
  type Caller,
  ForbiddenError,
  type OpenedSession,
  type SessionOrigin,
  type SessionService,
  UnauthorizedError,
} from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { SessionNotFoundError, WrongPasswordError } from '../accounts.errors.ts'
import { renameKeyOfMember } from '../members/member-keys.store.ts'
import type { MemberService } from '../members/members.service.ts'
import { findMember } from '../members/members.store.ts'
import { listMemberships } from '../members/memberships.store.ts'
import { deleteSecondFactorsOf } from '../passkeys/delete-second-factors.ts'
import type { PasswordLinkService } from '../password-links/password-links.service.ts'
import { deletePasswordLinksOf } from '../password-links/password-links.store.ts'
import { deletePicture } from '../pictures/pictures.store.ts'
import { deleteIdentitiesOf } from '../providers/identities.store.ts'
import { hashPassword } from '../sign-in/passwords.ts'
import type { SignInService } from '../sign-in/sign-in.service.ts'
import { requireStrong } from '../sign-in/strength.ts'
import { type AccountRecord, deleteAccount, findAccount, updateAccount } from './account.store.ts'

export interface AccountServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  sessions: SessionService
  members: MemberService
  signIn: SignInService
  passwordLinks: PasswordLinkService
}

/** Use cases of one's own account. All of them need a session of that account. */
export class AccountService {
  readonly #options: AccountServiceOptions

  constructor(options: AccountServiceOptions) {
    this.#options = options
  }

  /** @throws ForbiddenError for a key, which is of no account that it could change */
  async requireAccount({ accountId }: Caller): Promise<AccountRecord> {
    const account = accountId && (await findAccount(this.#options.db, accountId))
    if (!account) throw new ForbiddenError('Sign in with your account to do this: an API key has none')
    return account
  }

  async describe(caller: Caller) {
    const { db, members } = this.#options
    const account = await this.requireAccount(caller)
    const member = await members.describe(caller)
    return { account, pictureUrl: member?.pictureUrl ?? null, memberships: await listMemberships(db, account.id) }
  }

  /** Changes what is given. Personal keys carry a new name, too. */
  async update(caller: Caller, { name, language }: Partial<Pick<AccountRecord, 'name' | 'language'>>): Promise<void> {
    const { db, writes, clock } = this.#options
    const account = await this.requireAccount(caller)
    const memberships = name === undefined ? [] : await listMemberships(db, account.id)
    await writes.commit(async (tx) => {
      await updateAccount(tx, account.id, { name, language, updatedAt: isoNow(clock) })
      for (const { organizationId, memberId } of memberships)
        await renameKeyOfMember(tx, organizationId, memberId, name!)
    })
  }

  /**
   * Ends all sessions, and opens one for the person who changes it.
   * @throws WrongPasswordError, WeakPasswordError, RateLimitedError
   */
  async changePassword(
    caller: Caller,
    { password, newPassword }: { password: string; newPassword: string },
    origin: SessionOrigin,
  ): Promise<OpenedSession> {
    const { passwordLinks, clock, signIn } = this.#options
    const account = await this.requireAccount(caller)
    await this.requirePassword(account, password, origin.address)
    await requireStrong(newPassword, [account.email, account.name])
    const hash = await hashPassword(newPassword)
    await passwordLinks.set(account, hash, async (tx) => {
      const target = { type: 'member', id: caller.memberId! } as const
      await recordAudit(tx, caller, { action: 'member.password_changed', at: isoNow(clock), target })
      return true
    })
    return signIn.open(account, origin, caller.workspaceId)
  }

  async sessions(caller: Caller) {
    return this.#options.sessions.listOfAccount((await this.requireAccount(caller)).id)
  }

  /** @throws SessionNotFoundError, also for a session of another account */
  async endSession(caller: Caller, sessionId: string): Promise<void> {
    const { sessions } = this.#options
    const account = await this.requireAccount(caller)
    const session = (await sessions.listOfAccount(account.id)).find(({ id }) => id === sessionId)
    if (!session) throw new SessionNotFoundError()
    await sessions.end(session)
  }

  /** Ends all but the caller's own, and with them the apps that act for the account. */
  async endOtherSessions(caller: Caller): Promise<void> {
    const { sessions, members } = this.#options
    const account = await this.requireAccount(caller)
    for (const session of await sessions.listOfAccount(account.id))
      if (session.id !== caller.sessionId) await sessions.end(session)
    await members.endApps(account.id)
  }

  async chooseWorkspace(caller: Caller, workspaceId: string, origin: SessionOrigin): Promise<OpenedSession> {
    return this.#options.signIn.open(await this.requireAccount(caller), origin, workspaceId)
  }

  /**
   * Removes the account with its memberships, keys and sessions. What it made in workspaces stays there.
   * @throws WrongPasswordError, RateLimitedError, LastOwnerError
   */
  async remove(caller: Caller, password: string, address: string): Promise<void> {
    const { sessions, writes, members, clock } = this.#options
    const account = await this.requireAccount(caller)
    await this.requirePassword(account, password, address)
    const open = await sessions.listOfAccount(account.id)
    const keyIds = await commitChecked(writes, async (tx) => {
      const memberships = await listMemberships(tx, account.id)
      // In one order, so that no two wait for each other; all are checked before anything is written.
      for (const { workspaceId } of memberships.toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1)))
        await takeAdvisoryLock(tx, 'members', workspaceId)
      for (const one of memberships) await members.requireRemovableIn(tx, one)
      const ended: string[] = []
      for (const { organizationId, workspaceId, memberId, keyId } of memberships) {
        const member = await findMember(tx, organizationId, workspaceId, memberId)
        if (member) ended.push(...(await members.removeIn(tx, member)))
        const actor = { organizationId, workspaceId, keyId, request: caller.request }
        const target = { type: 'member', id: memberId } as const
        await recordAudit(tx, actor, { action: 'member.removed', at: isoNow(clock), target })
      }
      await deletePicture(tx, account.id)
      await deletePasswordLinksOf(tx, account.id)
      await deleteIdentitiesOf(tx, account.id)
      await deleteSecondFactorsOf(tx, account.id)
      await deleteAccount(tx, account.id)
      return ended
    })
    members.announce(keyIds)
    for (const session of open) await sessions.end(session)
  }

  /** @throws WrongPasswordError, RateLimitedError */
  async requirePassword({ email }: AccountRecord, password: string, address: string): Promise<void> {
    await this.#options.signIn.check({ email, password }, address).catch((error) => {
      throw error instanceof UnauthorizedError ? new WrongPasswordError() : error
    })
  }
}
