import { randomBytes } from 'node:crypto'
import {
  type Caller,
  deleteGrantsOfSubject,
  ForbiddenError,
  hashApiKey,
  type KeyService,
  MEMBER_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  pictureUrlOf,
  RANK,
  type Role,
  requireWholeKey,
} from '../../access/access.ts'
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import {
  EndedByDirectoryError,
  LastOwnerError,
  MemberExistsError,
  MemberNotFoundError,
  OtherMembershipError,
  unknownGroups,
} from '../accounts.errors.ts'
import { addToGroups, listGroupsOfMembers, setGroups } from '../groups/group-members.store.ts'
import { findGroups } from '../groups/groups.store.ts'
import { deletePasswordLinksOf } from '../password-links/password-links.store.ts'
import { type AccountRecord, findAccountByEmail, insertAccountWithoutPassword } from '../profile/account.store.ts'
import { isEndedByDirectory } from '../scim/scim-users.store.ts'
import {
  deleteSessionsOfKeys,
  listKeysOfMember,
  revokeAppKeysOfMember,
  revokeKeysOfMember,
  setRightsOfKeys,
} from './member-keys.store.ts'
import {
  confirmEmail,
  countOwners,
  deleteMember,
  findMember,
  findMemberOfAccount,
  insertMember,
  listMembers,
  type MemberRecord,
  type MemberWithAccount,
  updateMember,
} from './members.store.ts'
import { listMemberships } from './memberships.store.ts'

export interface MemberServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  keys: Pick<KeyService, 'insertIn'>
  /** Called with keys whose rights changed, so that caches of them are dropped. */
  onKeysChanged(keyIds: string[]): void
}

/** A membership that somebody gets. */
export interface Joining {
  organizationId: string
  workspaceId: string
  account: Pick<AccountRecord, 'id' | 'name'>
  role: Role
  groupIds: string[]
  /** Whether somebody else than the person says that the e-mail of the account is theirs. */
  isEmailConfirmed: boolean
  request?: Caller['request']
  /** Actor who makes them one; default: the member. */
  by?: Actor
}

/** Facts that a sign-in provider says of a member. */
type Aligned = Partial<Pick<Joining, 'role' | 'groupIds' | 'request'>> & Pick<Joining, 'isEmailConfirmed'>

/** Person who may have been ended in a workspace, by all their e-mails. */
type Ended = Pick<Joining, 'organizationId' | 'workspaceId'> & { emails: string[] }

export type MemberWithGroups = MemberWithAccount & { groups: { id: string; name: string }[] }

export interface NewMember {
  email: string
  name: string
  role: Role
  group_ids: string[]
}

export const rightsOf = (role: Role): { role: Role; permissions: readonly Permission[] } => ({
  role,
  permissions: role === 'member' ? MEMBER_PERMISSIONS : PERMISSIONS,
})

export class MemberService {
  readonly #options: MemberServiceOptions

  constructor(options: MemberServiceOptions) {
    this.#options = options
  }

  /**
   * Makes the account a member, in the transaction of what lets it. Somebody who is one already gets the groups, and the
   * role if it is a higher one. @returns keys whose rights changed, for `announce` after the commit
   */
  async addIn(tx: Tx, joining: Joining): Promise<string[]> {
    const { clock, newId, keys } = this.#options
    const { organizationId, workspaceId, account, role, isEmailConfirmed, request, by } = joining
    await this.#lockMembers(tx, workspaceId)
    const at = isoNow(clock)
    const known = await findMemberOfAccount(tx, organizationId, workspaceId, account.id)
    const memberId = known?.id ?? newId()
    if (known) {
      if (RANK[role] > RANK[known.role]) await this.#setRole(tx, known, role)
      await updateMember(tx, organizationId, memberId, { chosenAt: at })
    } else {
      const member = { id: memberId, workspaceId, accountId: account.id, role }
      await insertMember(tx, organizationId, { ...member, createdAt: at, chosenAt: at })
      await keys.insertIn(tx, organizationId, {
        id: newId(),
        workspaceId,
        name: account.name,
        prefix: '',
        // The secret behind the hash is thrown away: only sessions lead to this key.
        hash: hashApiKey(randomBytes(32).toString('base64url')),
        ...rightsOf(role),
        expiresAt: null,
        createdAt: at,
        member: { kind: 'member', id: memberId },
      })
    }
    if (isEmailConfirmed) await confirmEmail(tx, organizationId, memberId)
    const groups = await findGroups(tx, organizationId, workspaceId, joining.groupIds)
    const groupIds = groups.map(({ id }) => id)
    await addToGroups(tx, organizationId, memberId, groupIds, at)
    // Earlier password links end: the account may do more now than when they were made.
    await deletePasswordLinksOf(tx, account.id)
    const keyIds = await listKeysOfMember(tx, organizationId, memberId)
    const actor = by ?? { organizationId, workspaceId, keyId: keyIds[0]!, request }
    await recordAudit(tx, actor, {
      action: known ? 'member.updated' : 'member.joined',
      at,
      target: { type: 'member', id: memberId },
      details: { role, group_ids: groupIds },
    })
    return keyIds
  }

  /**
   * Gives a member what a sign-in provider says of them, in the transaction that asks; what is undefined stays, and the
   * last owner stays one. @returns keys whose rights changed
   */
  async alignIn(
    tx: Tx,
    member: MemberRecord,
    { role = member.role, groupIds, isEmailConfirmed, request }: Aligned,
  ): Promise<string[]> {
    const { organizationId, workspaceId, id } = member
    await this.#lockMembers(tx, workspaceId)
    if (isEmailConfirmed) await confirmEmail(tx, organizationId, id)
    const next = (await this.isLastOwnerIn(tx, member)) ? member.role : role
    const before = (await listGroupsOfMembers(tx, organizationId, [id])).get(id) ?? []
    const isInOthers = groupIds && !sameIds(groupIds, before)
    if (next === member.role && !isInOthers) return []
    if (isInOthers) await setGroups(tx, organizationId, id, groupIds, isoNow(this.#options.clock))
    if (next !== member.role) await this.#setRole(tx, member, next)
    const keyIds = await listKeysOfMember(tx, organizationId, id)
    await recordAudit(
      tx,
      { organizationId, workspaceId, keyId: keyIds[0]!, request },
      {
        action: 'member.updated',
        at: isoNow(this.#options.clock),
        target: { type: 'member', id },
        details: { ...(next !== member.role && { role: next }), ...(isInOthers && { group_ids: groupIds }) },
      },
    )
    return keyIds
  }

  /**
   * Requires that the directory of the workspace has not ended the person: then only it can let them in again. To be
   * asked before anything is written.
   * @throws EndedByDirectoryError
   */
  async requireNotEndedIn(tx: Tx, { organizationId, workspaceId, emails }: Ended): Promise<void> {
    if (await isEndedByDirectory(tx, organizationId, workspaceId, emails)) throw new EndedByDirectoryError()
  }

  /** Ends a membership that may end, with its keys and sessions. @returns the keys */
  async removeIn(tx: Tx, { organizationId, id }: MemberRecord): Promise<string[]> {
    const keyIds = await listKeysOfMember(tx, organizationId, id)
    await revokeKeysOfMember(tx, organizationId, id, isoNow(this.#options.clock))
    await deleteSessionsOfKeys(tx, organizationId, keyIds)
    await deleteGrantsOfSubject(tx, organizationId, id)
    await deleteMember(tx, organizationId, id)
    return keyIds
  }

  /** Ends all apps that an account connected, in all of its workspaces. */
  async endApps(accountId: string): Promise<void> {
    const { db, writes, clock, onKeysChanged } = this.#options
    const memberships = await listMemberships(db, accountId)
    const keyIds = await writes.commit(async (tx) => {
      const ended: string[] = []
      for (const { organizationId, memberId } of memberships)
        ended.push(...(await revokeAppKeysOfMember(tx, organizationId, memberId, isoNow(clock))))
      return ended
    })
    onKeysChanged(keyIds)
  }

  async isLastOwnerIn(
    tx: Tx,
    { organizationId, workspaceId, role }: Pick<MemberRecord, 'organizationId' | 'workspaceId' | 'role'>,
  ): Promise<boolean> {
    return role === 'owner' && (await countOwners(tx, organizationId, workspaceId)) === 1
  }

  /** @throws LastOwnerError if the workspace would have no owner without this one */
  async requireRemovableIn(
    tx: Tx,
    member: Pick<MemberRecord, 'organizationId' | 'workspaceId' | 'role'>,
  ): Promise<void> {
    if (await this.isLastOwnerIn(tx, member)) throw new LastOwnerError()
  }

  /** Tells those who cache these keys that their rights changed. */
  announce(keyIds: string[]): void {
    this.#options.onKeysChanged(keyIds)
  }

  /** Person behind a caller; null for a key of a program. */
  async describe({ organizationId, workspaceId, memberId }: Caller) {
    const { db } = this.#options
    if (!memberId) return null
    const member = await findMember(db, organizationId, workspaceId, memberId)
    if (!member) return null
    const groups = await listGroupsOfMembers(db, organizationId, [memberId])
    const { accountId, email, name, pictureHash } = member
    const pictureUrl = pictureUrlOf(memberId, pictureHash)
    return { id: memberId, accountId, email, name, pictureUrl, groups: groups.get(memberId) ?? [] }
  }

  async list({ organizationId, workspaceId }: Caller, { page, page_size }: { page: number; page_size: number }) {
    const { db } = this.#options
    const at = { limit: page_size, offset: (page - 1) * page_size }
    const { members, total } = await listMembers(db, organizationId, workspaceId, at)
    const ids = members.map(({ id }) => id)
    const groups = await listGroupsOfMembers(db, organizationId, ids)
    return { members: members.map((member) => ({ ...member, groups: groups.get(member.id) ?? [] })), total }
  }

  /** @throws MemberNotFoundError */
  async get({ organizationId, workspaceId }: Caller, memberId: string): Promise<MemberWithGroups> {
    const { db } = this.#options
    const member = await findMember(db, organizationId, workspaceId, memberId)
    if (!member) throw new MemberNotFoundError()
    const groups = await listGroupsOfMembers(db, organizationId, [memberId])
    return { ...member, groups: groups.get(memberId) ?? [] }
  }

  /** Gets a member whom the caller may manage. @throws MemberNotFoundError, ForbiddenError */
  getToManage(caller: Caller, memberId: string) {
    return this.#getBelow(this.#options.db, caller, memberId)
  }

  /**
   * Makes somebody a member, with an account without a password if they have none.
   * @throws ForbiddenError, MemberExistsError, OtherMembershipError, EndedByDirectoryError, ValidationError for a group
   *   that is none
   */
  async create(caller: Caller, { email, name, role, group_ids }: NewMember): Promise<MemberWithGroups> {
    const { writes, clock, newId, onKeysChanged } = this.#options
    const { organizationId, workspaceId } = caller
    requireWhole(caller)
    requireGivable(caller, role)
    const { keyIds, accountId } = await commitChecked(writes, async (tx) => {
      await this.#lockMembers(tx, workspaceId)
      await takeAdvisoryLock(tx, 'account', email)
      const groupIds = await requireGroups(tx, caller, group_ids)
      const known = await findAccountByEmail(tx, email)
      const memberships = known ? await listMemberships(tx, known.id) : []
      if (memberships.some((one) => one.workspaceId === workspaceId)) throw new MemberExistsError(email)
      if (memberships.length > 0 && !memberships.some((one) => one.organizationId === organizationId))
        throw new OtherMembershipError(email)
      await this.requireNotEndedIn(tx, { organizationId, workspaceId, emails: [email] })
      const account = known ?? (await insertAccountWithoutPassword(tx, { id: newId(), email, name, at: isoNow(clock) }))
      const joining = { organizationId, workspaceId, account, role, groupIds, request: caller.request, by: caller }
      return { keyIds: await this.addIn(tx, { ...joining, isEmailConfirmed: true }), accountId: account.id }
    })
    onKeysChanged(keyIds)
    const member = await findMemberOfAccount(this.#options.db, organizationId, workspaceId, accountId)
    return this.get(caller, member?.id ?? '')
  }

  /**
   * Rights that hold now, for a key that is made in the same transaction: nobody makes one who was just removed.
   * @throws MemberNotFoundError
   */
  async rightsIn(
    tx: Tx,
    { organizationId, workspaceId, memberId = '' }: Pick<Caller, 'organizationId' | 'workspaceId' | 'memberId'>,
  ) {
    await this.#lockMembers(tx, workspaceId)
    const member = await findMember(tx, organizationId, workspaceId, memberId)
    if (!member) throw new MemberNotFoundError()
    return rightsOf(member.role)
  }

  /** @throws MemberNotFoundError, ForbiddenError, LastOwnerError, ValidationError for a group that is none */
  async update(caller: Caller, memberId: string, changes: { role?: Role; group_ids?: string[] }) {
    const { writes, clock, onKeysChanged } = this.#options
    const { organizationId, workspaceId } = caller
    requireWhole(caller)
    const keyIds = await commitChecked(writes, async (tx) => {
      await this.#lockMembers(tx, workspaceId)
      const member = await this.#getBelow(tx, caller, memberId)
      const { role = member.role, group_ids } = changes
      requireGivable(caller, role)
      if (role !== member.role && role !== 'owner') await this.requireRemovableIn(tx, member)
      if (group_ids) {
        const groupIds = await requireGroups(tx, caller, group_ids)
        await setGroups(tx, organizationId, memberId, groupIds, isoNow(clock))
      }
      if (role !== member.role) {
        await this.#setRole(tx, member, role)
        await deletePasswordLinksOf(tx, member.accountId)
      }
      await recordAudit(tx, caller, {
        action: 'member.updated',
        at: isoNow(clock),
        target: { type: 'member', id: memberId },
        details: { ...changes },
      })
      return listKeysOfMember(tx, organizationId, memberId)
    })
    onKeysChanged(keyIds)
  }

  /** Ends the membership, with its keys and sessions. Everybody may go themselves. @throws as `update` */
  async remove(caller: Caller, memberId: string): Promise<void> {
    const { writes, clock, onKeysChanged } = this.#options
    if (memberId !== caller.memberId) requireWhole(caller)
    const keyIds = await commitChecked(writes, async (tx) => {
      await this.#lockMembers(tx, caller.workspaceId)
      const member = await this.#getBelow(tx, caller, memberId)
      await this.requireRemovableIn(tx, member)
      const keyIds = await this.removeIn(tx, member)
      const target = { type: 'member', id: memberId } as const
      await recordAudit(tx, caller, { action: 'member.removed', at: isoNow(clock), target })
      return keyIds
    })
    onKeysChanged(keyIds)
  }

  /** Changes of who is a member of a workspace, and as what, happen one after the other. */
  #lockMembers(tx: Tx, workspaceId: string) {
    return takeAdvisoryLock(tx, 'members', workspaceId)
  }

  /** @throws MemberNotFoundError, ForbiddenError for a member of a higher role than the caller's */
  async #getBelow(from: Db, caller: Caller, memberId: string) {
    const member = await findMember(from, caller.organizationId, caller.workspaceId, memberId)
    if (!member) throw new MemberNotFoundError()
    if (RANK[member.role] > RANK[caller.role])
      throw new ForbiddenError(`The role ${caller.role} may not do this to somebody with the role ${member.role}`)
    return member
  }

  async #setRole(tx: Tx, member: MemberRecord, role: Role): Promise<void> {
    await updateMember(tx, member.organizationId, member.id, { role, at: isoNow(this.#options.clock) })
    await setRightsOfKeys(tx, member.organizationId, member.id, rightsOf(role))
  }
}

const sameIds = (ids: string[], of: { id: string }[]): boolean =>
  ids.length === of.length && of.every(({ id }) => ids.includes(id))

/** @throws ForbiddenError for a role above the caller's own */
function requireGivable(caller: Caller, role: Role): void {
  if (RANK[role] > RANK[caller.role]) throw new ForbiddenError(`The role ${caller.role} may not give the role ${role}`)
}

/** Ids of groups of the workspace, each once. @throws ValidationError for one that is none */
async function requireGroups(tx: Tx, { organizationId, workspaceId }: Caller, groupIds: string[]): Promise<string[]> {
  const chosen = [...new Set(groupIds)]
  const known = await findGroups(tx, organizationId, workspaceId, chosen)
  if (known.length < chosen.length) throw unknownGroups('group_ids')
  return chosen
}

/** @throws ForbiddenError */
export const requireWhole = (caller: Caller): void => requireWholeKey(caller, 'manage members')
