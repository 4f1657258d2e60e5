import { type Caller, ForbiddenError, type KeyService, RANK, type Role } from '../../access/access.ts'
import { type Actor, operatorOf, recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { InvitationNotFoundError, LinkNotValidError, unknownGroups } from '../accounts.errors.ts'
import { findGroups } from '../groups/groups.store.ts'
import { hashLinkToken, invitationUrl, newLinkToken } from '../links.ts'
import type { Mailer } from '../mail/mailer.ts'
import { invitationMail } from '../mail/mails.ts'
import { type MemberService, requireWhole } from '../members/members.service.ts'
import { type AccountRecord, findAccount, findAccountByEmail, insertAccount } from '../profile/account.store.ts'
import {
  deleteInvitation,
  deleteStaleInvitations,
  findInvitationByHash,
  findWorkspaceNames,
  type InvitationRecord,
  insertInvitation,
  listInvitations,
} from './invitations.store.ts'

const HOUR_MS = 3_600_000
/** Lifetime of an operator's link that makes someone an owner. */
const OWNER_LINK_MS = HOUR_MS

export interface NewInvitation {
  email: string | null
  role: Role
  group_ids: string[]
  expires_in_hours: number
}

/** Account that is to become a member, or the fields of one that is made with it. */
export type Joiner = { accountId: string } | { email: string; name: string; passwordHash: string }

/** An invitation with its link, which is nowhere else. */
export interface MadeInvitation {
  invitation: InvitationRecord
  url: string
}

export interface InvitationServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'newId' | 'writes'> {
  keys: Pick<KeyService, 'findIn'>
  members: MemberService
  mailer?: Mailer
  publicUrl(): string
}

export class InvitationService {
  readonly #options: InvitationServiceOptions

  constructor(options: InvitationServiceOptions) {
    this.#options = options
  }

  /** @throws ForbiddenError for a role above the caller's, ValidationError for a group that is none */
  async create(caller: Caller, fields: NewInvitation) {
    requireWhole(caller)
    const { organizationId, workspaceId } = caller
    const { role, group_ids } = fields
    if (RANK[role] > RANK[caller.role])
      throw new ForbiddenError(`The role ${caller.role} may not invite somebody with the role ${role}`)
    const made = await commitChecked(this.#options.writes, async (tx) => {
      const known = await findGroups(tx, organizationId, workspaceId, group_ids)
      if (known.length < new Set(group_ids).size) throw unknownGroups('group_ids')
      return this.inviteIn(tx, caller, fields)
    })
    return { ...made, isSent: await this.send(made) }
  }

  /** Invites, in the transaction of what asks for it; after the commit it is to be sent. */
  async inviteIn(
    tx: Tx,
    inviter: Actor & { workspaceId: string },
    { expires_in_hours, ...fields }: NewInvitation,
  ): Promise<MadeInvitation> {
    const { organizationId, workspaceId } = inviter
    const now = isoNow(this.#options.clock)
    await deleteStaleInvitations(tx, organizationId, workspaceId, { now, ofOperator: false })
    const made = await this.#insert(tx, inviter, { ...fields, ttlMs: expires_in_hours * HOUR_MS })
    const { id, createdAt: at, expiresAt } = made.invitation
    const { role, group_ids } = fields
    await recordAudit(tx, inviter, {
      action: 'invitation.created',
      at,
      target: { type: 'invitation', id },
      details: { role, group_ids, expires_at: expiresAt },
    })
    return made
  }

  /** A link by which somebody becomes an owner, within the hour; links that operators made before end with it. */
  async createOwnerLink(organizationId: string, workspaceId: string) {
    const { writes, clock } = this.#options
    const operator = operatorOf(organizationId, workspaceId)
    return writes.commit(async (tx) => {
      await deleteStaleInvitations(tx, organizationId, workspaceId, { now: isoNow(clock), ofOperator: true })
      const made = await this.#insert(tx, operator, { email: null, role: 'owner', group_ids: [], ttlMs: OWNER_LINK_MS })
      const target = { type: 'invitation', id: made.invitation.id } as const
      const details = { role: 'owner', expires_at: made.invitation.expiresAt }
      await recordAudit(tx, operator, { action: 'invitation.created', at: made.invitation.createdAt, target, details })
      return made
    })
  }

  async list({ organizationId, workspaceId }: Caller, { page, page_size }: { page: number; page_size: number }) {
    const { clock, db } = this.#options
    const at = { now: isoNow(clock), limit: page_size, offset: (page - 1) * page_size }
    return listInvitations(db, organizationId, workspaceId, at)
  }

  /** @throws InvitationNotFoundError */
  async revoke(caller: Caller, invitationId: string): Promise<void> {
    const { writes, clock } = this.#options
    requireWhole(caller)
    await commitChecked(writes, async (tx) => {
      if (!(await deleteInvitation(tx, caller.organizationId, caller.workspaceId, invitationId)))
        throw new InvitationNotFoundError()
      const target = { type: 'invitation', id: invitationId } as const
      await recordAudit(tx, caller, { action: 'invitation.revoked', at: isoNow(clock), target })
    })
  }

  /** Finds an open invitation and the names of its workspace. @throws LinkNotValidError */
  async look(token: string) {
    const { db } = this.#options
    const invitation = await this.#getOpen(db, token)
    const names = await findWorkspaceNames(db, invitation.organizationId, invitation.workspaceId)
    if (!names) throw new LinkNotValidError()
    return { invitation, ...names }
  }

  /** @throws LinkNotValidError, ForbiddenError for an invitation of another e-mail */
  async requireFor(token: string, email: string): Promise<void> {
    requireEmail(await this.#getOpen(this.#options.db, token), email)
  }

  /**
   * Uses the link: of several who use it at the same time one becomes a member.
   * @throws LinkNotValidError, ForbiddenError for an invitation of another e-mail
   */
  async accept(token: string, joiner: Joiner, request?: Caller['request']) {
    const { writes, members } = this.#options
    const { keyIds, ...joined } = await commitChecked(writes, async (tx) => {
      const invitation = await this.#getOpen(tx, token)
      const { id, organizationId, workspaceId, role, groupIds } = invitation
      // Before anything is written: who comes second waits here, and finds nothing to delete.
      await takeAdvisoryLock(tx, 'invitation', id)
      if (!(await findInvitationByHash(tx, invitation.tokenHash))) throw new LinkNotValidError()
      if ('email' in joiner) requireEmail(invitation, joiner.email)
      const email = 'email' in joiner ? joiner.email : (await findAccount(tx, joiner.accountId))?.email
      if (email) await members.requireNotEndedIn(tx, { organizationId, workspaceId, emails: [email] })
      const account = await this.#requireAccount(tx, joiner)
      requireEmail(invitation, account.email)
      await deleteInvitation(tx, organizationId, workspaceId, id)
      const joining = { organizationId, workspaceId, account, role, groupIds, request }
      const keyIds = await members.addIn(tx, { ...joining, isEmailConfirmed: invitation.email !== null })
      return { keyIds, account, workspaceId }
    })
    members.announce(keyIds)
    return joined
  }

  async #insert(
    tx: Tx,
    of: { organizationId: string; workspaceId: string; keyId: string | null },
    { email, role, group_ids, ttlMs }: Omit<NewInvitation, 'expires_in_hours'> & { ttlMs: number },
  ) {
    const { newId, clock, publicUrl } = this.#options
    const { token, hash } = newLinkToken()
    const invitation: InvitationRecord = {
      id: newId(),
      organizationId: of.organizationId,
      workspaceId: of.workspaceId,
      email,
      role,
      groupIds: [...new Set(group_ids)],
      tokenHash: hash,
      invitedBy: of.keyId,
      createdAt: isoNow(clock),
      expiresAt: new Date(clock().getTime() + ttlMs).toISOString(),
    }
    await insertInvitation(tx, of.organizationId, invitation)
    return { invitation, url: invitationUrl(publicUrl(), token) }
  }

  /** An invitation is valid while the member who made it could still make it. @throws LinkNotValidError */
  async #getOpen(from: Db, token: string): Promise<InvitationRecord> {
    const { clock, keys } = this.#options
    const invitation = await findInvitationByHash(from, hashLinkToken(token))
    if (!invitation || invitation.expiresAt <= isoNow(clock)) throw new LinkNotValidError()
    const { organizationId, invitedBy, role } = invitation
    if (invitedBy !== null) {
      const inviter = await keys.findIn(from, organizationId, invitedBy)
      if (!inviter || inviter.revokedAt || inviter.role === 'member' || RANK[inviter.role] < RANK[role])
        throw new LinkNotValidError()
    }
    return invitation
  }

  /** @returns whether a mail server took it; if not, the link itself is still there to be handed on */
  async send({ invitation, url }: MadeInvitation): Promise<boolean> {
    const { mailer, db, logger } = this.#options
    const { email: to, organizationId, workspaceId, role, expiresAt } = invitation
    const names = mailer && to && (await findWorkspaceNames(db, organizationId, workspaceId))
    if (!mailer || !to || !names) return false
    const { organizationName: organization, workspaceName: workspace } = names
    try {
      await mailer.send(invitationMail({ to, organization, workspace, role, url, expiresAt }))
      return true
    } catch (error) {
      logger.warn({ err: error, invitation_id: invitation.id }, 'an invitation could not be sent')
      return false
    }
  }

  async #requireAccount(tx: Tx, joiner: Joiner): Promise<AccountRecord> {
    const { clock, newId } = this.#options
    if ('accountId' in joiner) {
      const account = await findAccount(tx, joiner.accountId)
      if (!account) throw new LinkNotValidError()
      return account
    }
    const { email, name, passwordHash } = joiner
    await takeAdvisoryLock(tx, 'account', email)
    // Somebody was faster with the same e-mail: they may sign in and use the link then.
    if (await findAccountByEmail(tx, email)) throw new ForbiddenError('Sign in first, and open the link again')
    const at = isoNow(clock)
    const times = { createdAt: at, updatedAt: at, signedInAt: null }
    const account = { id: newId(), email, name, passwordHash, language: null, ...times }
    await insertAccount(tx, account)
    return account
  }
}

function requireEmail({ email }: InvitationRecord, given: string): void {
  if (email !== null && email !== given) throw new ForbiddenError('This invitation is for another e-mail')
}
