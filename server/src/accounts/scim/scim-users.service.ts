import { type Directory, ForbiddenError, type KeyService, noteFewerFiles, RANK } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { foldCase } from '../../platform/text/text.ts'
import type { InvitationService, MadeInvitation } from '../invitations/invitations.service.ts'
import { deleteInvitationsFor } from '../invitations/invitations.store.ts'
import { renameKeyOfMember } from '../members/member-keys.store.ts'
import type { MemberService } from '../members/members.service.ts'
import { confirmEmail, findMember } from '../members/members.store.ts'
import { listMemberships } from '../members/memberships.store.ts'
import { deletePasswordLinksOf } from '../password-links/password-links.store.ts'
import {
  type AccountRecord,
  findAccountByEmail,
  insertAccountWithoutPassword,
  updateAccount,
} from '../profile/account.store.ts'
import {
  ScimFilterError,
  ScimMutabilityError,
  ScimUniquenessError,
  ScimUserNotFoundError,
  ScimVersionError,
} from './scim.errors.ts'
import type { Equal } from './scim-filter.ts'
import { personNameOf, type ScimFields } from './scim-user.ts'
import {
  type Condition,
  deleteScimUser,
  findScimUser,
  listScimNamesakes,
  listScimUsers,
  putScimUser,
  type ScimUserRecord,
} from './scim-users.store.ts'

/** How long somebody has who has to agree, since they have an account of another organization. */
const INVITATION_HOURS = 720

export interface ScimUserServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  keys: KeyService
  members: MemberService
  invitations: InvitationService
}

/** How a change turns out beyond the row: to be done after the commit. */
interface Outcome {
  keyIds: string[]
  invitation?: MadeInvitation
}

export class ScimUserService {
  readonly #options: ScimUserServiceOptions

  constructor(options: ScimUserServiceOptions) {
    this.#options = options
  }

  /** @throws ScimFilterError for an attribute by which nobody is looked for */
  list(directory: Directory, { filter, limit, offset }: { filter: Equal[]; limit: number; offset: number }) {
    const { db } = this.#options
    const conditions = filter.map(toCondition)
    return listScimUsers(db, directory.organizationId, this.#placeOf(directory), { conditions, limit, offset })
  }

  /** @throws ScimUserNotFoundError */
  get(directory: Directory, id: string): Promise<ScimUserRecord> {
    return this.#getIn(this.#options.db, directory, id)
  }

  /** Makes or invites the member. @throws ScimUniquenessError */
  async create(directory: Directory, fields: ScimFields): Promise<ScimUserRecord> {
    const { newId } = this.#options
    const id = newId()
    await this.#commit(directory, async (tx) => {
      await this.#requireUnique(tx, directory, fields)
      const isActive = fields.active ?? true
      await this.#put(tx, directory, id, { ...fields, active: isActive })
      return isActive ? this.#activate(tx, directory, fields) : { keyIds: [] }
    })
    return this.get(directory, id)
  }

  /**
   * Changes what the directory says of a person; `active` ends or begins the membership.
   * @param change makes the new fields from what is there; it may refuse by throwing
   * @throws ScimUserNotFoundError, ScimUniquenessError, ScimMutabilityError, ForbiddenError, LastOwnerError
   */
  async update(
    directory: Directory,
    id: string,
    change: (user: ScimUserRecord) => ScimFields,
  ): Promise<ScimUserRecord> {
    await this.#commit(directory, async (tx) => {
      const user = await this.#getIn(tx, directory, id)
      const fields = change(user)
      await this.#requireUnique(tx, directory, fields, id)
      const account = user.memberId === null ? undefined : await findAccountByEmail(tx, user.email)
      const isOnlyHere = account && (await this.#isOnlyHere(tx, directory, account))
      if (fields.email !== user.email) await this.#requireMovable(tx, directory, { user, fields, account, isOnlyHere })
      if (fields.active === false) await this.#requireRemovable(tx, directory, user)

      await this.#put(tx, directory, id, fields)
      if (account && isOnlyHere) await this.#carryOver(tx, directory, { user, fields, account })
      if (fields.active === false) return { keyIds: await this.#end(tx, directory, user) }
      if (fields.active === true && !user.isActive) return this.#activate(tx, directory, fields)
      return { keyIds: [] }
    })
    return this.get(directory, id)
  }

  /** Ends the membership and forgets what the directory said. @throws as `update` */
  async remove(directory: Directory, id: string, check: (user: ScimUserRecord) => void): Promise<void> {
    await this.#commit(directory, async (tx) => {
      const user = await this.#getIn(tx, directory, id)
      check(user)
      await this.#requireRemovable(tx, directory, user)
      const keyIds = await this.#end(tx, directory, user)
      await deleteScimUser(tx, directory.organizationId, id)
      return { keyIds }
    })
  }

  /** Changes of who is a member happen one after the other; all checks come before the first write. */
  async #commit(directory: Directory, write: (tx: Tx) => Promise<Outcome>): Promise<void> {
    const { writes, members, invitations } = this.#options
    const { keyIds, invitation } = await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'members', directory.workspaceId)
      return write(tx)
    })
    members.announce(keyIds)
    if (invitation) await invitations.send(invitation)
  }

  #placeOf = ({ workspaceId }: Directory) => ({ workspaceId, now: isoNow(this.#options.clock) })

  async #getIn(from: Db, directory: Directory, id: string): Promise<ScimUserRecord> {
    const user = await findScimUser(from, directory.organizationId, this.#placeOf(directory), id)
    if (!user) throw new ScimUserNotFoundError()
    return user
  }

  async #requireUnique(tx: Tx, directory: Directory, { userName, email }: ScimFields, ownId?: string): Promise<void> {
    const names = { userNameKey: foldCase(userName), email }
    const all = await listScimNamesakes(tx, directory.organizationId, this.#placeOf(directory), names)
    if (all.some(({ id }) => id !== ownId))
      throw new ScimUniquenessError('Another user of this workspace has this userName or this e-mail')
  }

  async #requireMovable(
    tx: Tx,
    directory: Directory,
    {
      user,
      fields,
      account,
      isOnlyHere,
    }: { user: ScimUserRecord; fields: ScimFields } & {
      account: AccountRecord | undefined
      isOnlyHere: boolean | undefined
    },
  ): Promise<void> {
    if (!account) return
    this.#requireRank(directory, user)
    if (!isOnlyHere)
      throw new ScimMutabilityError('This account is a member elsewhere, too: only its person may change the e-mail')
    await takeAdvisoryLock(tx, 'account', fields.email)
    if (await findAccountByEmail(tx, fields.email))
      throw new ScimUniquenessError('There is an account with this e-mail already')
  }

  /** @throws ForbiddenError, LastOwnerError */
  async #requireRemovable(tx: Tx, directory: Directory, user: ScimUserRecord): Promise<void> {
    if (user.memberId === null || user.role === null) return
    this.#requireRank(directory, user)
    await this.#options.members.requireRemovableIn(tx, { ...directory, role: user.role })
  }

  #requireRank({ role }: Directory, user: ScimUserRecord): void {
    if (user.role && RANK[user.role] > RANK[role])
      throw new ForbiddenError(`This token was made by an ${role}: one that an owner made manages owners, too`)
  }

  #put(tx: Tx, { organizationId, workspaceId }: Directory, id: string, { active, ...fields }: ScimFields) {
    const at = isoNow(this.#options.clock)
    const userNameKey = foldCase(fields.userName)
    return putScimUser(tx, organizationId, workspaceId, { ...fields, id, userNameKey, isActive: active, at })
  }

  /** Whether the account is a member of this workspace alone: else a directory could reach into another one by it. */
  async #isOnlyHere(tx: Tx, { workspaceId }: Directory, account: AccountRecord): Promise<boolean> {
    const memberships = await listMemberships(tx, account.id)
    return memberships.every((one) => one.workspaceId === workspaceId)
  }

  /** Gives the account the name and the e-mail that the directory has now. */
  async #carryOver(
    tx: Tx,
    directory: Directory,
    { user, fields, account }: { user: ScimUserRecord; fields: ScimFields; account: AccountRecord },
  ): Promise<void> {
    const name = personNameOf(fields)
    const [before, now] = [personNameOf(user), name]
    const isRenamed = before !== now && now !== account.name
    const isMoved = fields.email !== user.email
    if (!isRenamed && !isMoved) return
    const at = isoNow(this.#options.clock)
    const { organizationId } = directory
    await updateAccount(tx, account.id, {
      ...(isRenamed && { name }),
      ...(isMoved && { email: fields.email }),
      updatedAt: at,
    })
    if (isMoved) await deletePasswordLinksOf(tx, account.id)
    if (isMoved) await noteFewerFiles(tx, organizationId, [user.memberId!], at)
    if (isRenamed) await renameKeyOfMember(tx, organizationId, user.memberId!, name)
    const target = { type: 'member', id: user.memberId! } as const
    const changed = [...(isRenamed ? ['name'] : []), ...(isMoved ? ['email'] : [])]
    await recordAudit(tx, directory, { action: 'member.updated', at, target, details: { changed } })
  }

  /**
   * Makes the person a member, with an account if there is none. Somebody who is a member of another organization alone
   * is invited instead: nobody is put into a workspace of strangers unasked.
   */
  async #activate(tx: Tx, directory: Directory, fields: ScimFields): Promise<Outcome> {
    const { members, invitations, newId, clock } = this.#options
    const { organizationId, workspaceId, request } = directory
    await takeAdvisoryLock(tx, 'account', fields.email)
    const known = await findAccountByEmail(tx, fields.email)
    const memberships = known ? await listMemberships(tx, known.id) : []
    const here = memberships.find((one) => one.workspaceId === workspaceId)
    if (here) {
      await confirmEmail(tx, organizationId, here.memberId)
      return { keyIds: [] }
    }
    if (memberships.length > 0 && !memberships.some((one) => one.organizationId === organizationId)) {
      const asked = { email: fields.email, role: 'member' as const, group_ids: [], expires_in_hours: INVITATION_HOURS }
      return { keyIds: [], invitation: await invitations.inviteIn(tx, directory, asked) }
    }
    const made = { id: newId(), email: fields.email, name: personNameOf(fields), at: isoNow(clock) }
    const account = known ?? (await insertAccountWithoutPassword(tx, made))
    const joining = {
      organizationId,
      workspaceId,
      account,
      groupIds: [],
      isEmailConfirmed: true,
      request,
      by: directory,
    }
    return { keyIds: await members.addIn(tx, { ...joining, role: 'member' }) }
  }

  /** Ends the membership and the open invitations. @returns keys that ended */
  async #end(tx: Tx, directory: Directory, user: ScimUserRecord): Promise<string[]> {
    const { members, clock } = this.#options
    const { organizationId, workspaceId } = directory
    await deleteInvitationsFor(tx, organizationId, workspaceId, user.email)
    const member = user.memberId && (await findMember(tx, organizationId, workspaceId, user.memberId))
    if (!member) return []
    const keyIds = await members.removeIn(tx, member)
    const target = { type: 'member', id: member.id } as const
    await recordAudit(tx, directory, { action: 'member.removed', at: isoNow(clock), target })
    return keyIds
  }
}

/** @throws ScimVersionError if the client read another version. @param ifMatch value of the header If-Match */
export function requireVersion(ifMatch: string | undefined, version: string): void {
  if (ifMatch !== undefined && !matches(ifMatch, version)) throw new ScimVersionError()
}

/** Whether a header like If-Match names the version, weak or strong. */
export const matches = (header: string, version: string): boolean =>
  header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === version.replace(/^W\//, ''))

function toCondition({ attribute, value }: Equal): Condition {
  const name = attribute.toLowerCase()
  if (name === 'active') return ['is_active', String(value).toLowerCase() === 'true' ? 1 : 0]
  const text = String(value)
  if (name === 'username') return ['user_name_key', foldCase(text)]
  if (name === 'externalid') return ['external_id', text]
  if (name === 'id') return ['id', text]
  if (/^emails(\[type eq "work"\])?(\.value)?$/.test(name)) return ['email', text.toLowerCase()]
  throw new ScimFilterError('Users are found by userName, externalId, active, id and emails.value')
}
