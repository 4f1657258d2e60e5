import { type Caller, ForbiddenError, RANK, type SessionService } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { adminCommand } from '../../platform/host/commands.ts'
import { EmailNotSetUpError, LinkNotValidError } from '../accounts.errors.ts'
import { hashLinkToken, newLinkToken, passwordUrl } from '../links.ts'
import type { Mailer } from '../mail/mailer.ts'
import { passwordMail } from '../mail/mails.ts'
import { type MemberService, requireWhole } from '../members/members.service.ts'
import { listMemberships } from '../members/memberships.store.ts'
import { type AccountRecord, findAccount, findAccountByEmail, updateAccount } from '../profile/account.store.ts'
import { hashPassword } from '../sign-in/passwords.ts'
import { requireStrong } from '../sign-in/strength.ts'
import {
  deletePasswordLink,
  deletePasswordLinksOf,
  findPasswordLink,
  insertPasswordLink,
} from './password-links.store.ts'

const LINK_MS = 3_600_000

export interface PasswordLinkServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'newId' | 'writes'> {
  sessions: Pick<SessionService, 'listOfAccount' | 'end'>
  members: MemberService
  mailer?: Mailer
  publicUrl(): string
}

export type PasswordLinkService = ReturnType<typeof createPasswordLinkService>

/** Links by which somebody who forgot their password sets another one. */
export function createPasswordLinkService(options: PasswordLinkServiceOptions) {
  const { db, writes, newId, clock, sessions, members, logger, mailer, publicUrl } = options

  /** @param replaces whether links that the account has already end */
  async function insert(tx: Tx, accountId: string, { replaces }: { replaces: boolean }) {
    const { token, hash } = newLinkToken()
    const expiresAt = new Date(clock().getTime() + LINK_MS).toISOString()
    const times = { createdAt: isoNow(clock), expiresAt }
    if (replaces) await deletePasswordLinksOf(tx, accountId)
    await insertPasswordLink(tx, { id: newId(), accountId, tokenHash: hash, ...times })
    return { url: passwordUrl(publicUrl(), token), expires_at: expiresAt }
  }

  async function mailLink(by: Mailer, email: string): Promise<void> {
    const account = await findAccountByEmail(db, email)
    if (!account) return
    const link = await writes.commit((tx) => insert(tx, account.id, { replaces: false }))
    await by.send(passwordMail({ to: account.email, url: link.url, expiresAt: link.expires_at }))
  }

  async function getOpen(token: string) {
    const link = await findPasswordLink(db, hashLinkToken(token))
    if (!link || link.expiresAt <= isoNow(clock)) throw new LinkNotValidError()
    const account = await findAccount(db, link.accountId)
    if (!account) throw new LinkNotValidError()
    return { link, account }
  }

  /** Sets the password, and ends all sessions of the account and the apps that act for it. */
  async function set(account: Pick<AccountRecord, 'id'>, hash: string, claim: (tx: Tx) => Promise<boolean>) {
    await commitChecked(writes, async (tx) => {
      if (!(await claim(tx))) throw new LinkNotValidError()
      await deletePasswordLinksOf(tx, account.id)
      await updateAccount(tx, account.id, { passwordHash: hash, updatedAt: isoNow(clock) })
    })
    for (const session of await sessions.listOfAccount(account.id)) await sessions.end(session)
    await members.endApps(account.id)
  }

  return {
    set,

    /**
     * A link for a member who forgot the password. Anyone who has it can become that person, so the account must be
     * nowhere where the caller may do less. @throws MemberNotFoundError, ForbiddenError
     */
    async createFor(caller: Caller, memberId: string) {
      requireWhole(caller)
      const { accountId } = await members.getToManage(caller, memberId)
      return commitChecked(writes, async (tx) => {
        const memberships = await listMemberships(tx, accountId)
        const isBelow = memberships.every(
          ({ workspaceId, role }) => workspaceId === caller.workspaceId && RANK[role] <= RANK[caller.role],
        )
        if (!isBelow)
          throw new ForbiddenError(
            `This account is a member of other workspaces, too: only an operator can make the link (${adminCommand('sign-in-link --email EMAIL')})`,
          )
        const link = await insert(tx, accountId, { replaces: true })
        const target = { type: 'member', id: memberId } as const
        await recordAudit(tx, caller, { action: 'password_link.created', at: isoNow(clock), target })
        return link
      })
    },

    /** @returns undefined where there is no such account */
    async createByOperator(email: string) {
      const account = await findAccountByEmail(db, email)
      return account && writes.commit((tx) => insert(tx, account.id, { replaces: true }))
    },

    isMailed: mailer !== undefined,

    /**
     * Sends a link to the person who forgot the password, beside the request: how long it takes tells nobody whether
     * there is such an account. Links sent before still work, so that nobody ends them by asking again and again.
     * @throws EmailNotSetUpError
     */
    sendTo(email: string): void {
      if (!mailer) throw new EmailNotSetUpError()
      mailLink(mailer, email).catch((error) => logger.warn({ err: error }, 'a link for a password could not be sent'))
    },

    /** @returns the e-mail to sign in with. @throws LinkNotValidError, WeakPasswordError */
    async use(token: string, password: string): Promise<{ email: string }> {
      const { link, account } = await getOpen(token)
      await requireStrong(password, [account.email, account.name])
      const hash = await hashPassword(password)
      await set(account, hash, (tx) => deletePasswordLink(tx, link.id))
      return { email: account.email }
    },
  }
}
