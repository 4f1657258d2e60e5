import type { Caller } from '../access/access.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Db, Tx } from '../db.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { commitChecked } from '../platform/database/statements/commit-checked.ts'
import { foldCase } from '../platform/text/text.ts'
import { emailKeyOf, newUser } from './attribution.ts'
import { VirtualUserNotFoundError } from './users.errors.ts'
import type { CreateVirtualUser, ListVirtualUsersQuery, UpdateVirtualUser } from './users.schemas.ts'
import {
  claimUser,
  deleteUser,
  findUser,
  findUserByEmail,
  findUserEvenRemoved,
  holdUser,
  insertUser,
  listUsers,
  markUserRemoved,
  mergeUser,
  updateUser,
  userNames,
  type VirtualUser,
} from './users.store.ts'

export type UserService = ReturnType<typeof createUserService>

export type UserServiceOptions = Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'>

const keyOf = (text: string | null): string | null => (text === null ? null : foldCase(text))

export function createUserService({ db, writes, newId, clock }: UserServiceOptions) {
  /** The workspace's profile with that e-mail as it is, restored if it was removed; a new one if there is none. */
  async function create({ organizationId, workspaceId }: Caller, wanted: CreateVirtualUser): Promise<VirtualUser> {
    return writes.commit(async (tx) => {
      const existing = await restore(tx, organizationId, workspaceId, wanted.email)
      if (existing) return existing
      const { name = null, origin = null, metadata = {} } = wanted
      const user: VirtualUser = {
        ...newUser({ id: newId(), workspaceId, email: wanted.email, createdAt: isoNow(clock) }),
        organizationId,
        name,
        nameKey: keyOf(name),
        origin,
        originKey: keyOf(origin),
        metadata: JSON.stringify(metadata),
      }
      if (await insertUser(tx, organizationId, user)) return user
      // Another process was faster, between the look and the insert.
      return (await restore(tx, organizationId, workspaceId, wanted.email))!
    })
  }

  async function restore(tx: Tx, organizationId: string, workspaceId: string, email: string) {
    const existing = await findUserByEmail(tx, organizationId, workspaceId, emailKeyOf(email))
    if (!existing || existing.deletedAt === null) return existing
    const target = existing.mergedInto && (await holdUser(tx, organizationId, existing.mergedInto))
    if (target) return target
    await updateUser(tx, organizationId, existing.id, { deletedAt: null })
    return { ...existing, deletedAt: null }
  }

  /** One page of the workspace's profiles, newest first. */
  async function list({ organizationId, workspaceId }: Caller, query: ListVirtualUsersQuery) {
    return listUsers(db, organizationId, workspaceId, {
      emailKey: query.email === undefined ? undefined : emailKeyOf(query.email),
      search: query.search === undefined ? undefined : foldCase(query.search),
      limit: query.page_size,
      offset: query.page * query.page_size,
    })
  }

  /** @throws VirtualUserNotFoundError if it is of another workspace, absent or removed. */
  async function get(caller: Caller, id: string): Promise<VirtualUser> {
    return getUser(db, caller, id)
  }

  /**
   * Changes fields; an absent one stays, null clears, metadata is replaced as a whole. @throws VirtualUserNotFoundError
   */
  async function update(caller: Caller, id: string, { name, origin, metadata }: UpdateVirtualUser) {
    return commitChecked(writes, async (tx) => {
      const user = await getUser(tx, caller, id)
      const changes = {
        ...(name !== undefined && { name, nameKey: keyOf(name) }),
        ...(origin !== undefined && { origin, originKey: keyOf(origin) }),
        ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
        updatedAt: isoNow(clock),
      }
      await updateUser(tx, caller.organizationId, user.id, changes)
      return { ...user, ...changes }
    })
  }

  /** Chats and uploads keep their attribution; the e-mail brings the profile back. @throws VirtualUserNotFoundError */
  async function remove(caller: Caller, id: string): Promise<void> {
    await commitChecked(writes, async (tx) => {
      const user = await getUser(tx, caller, id)
      const at = isoNow(clock)
      if (!(await markUserRemoved(tx, caller.organizationId, user.id, at))) throw new VirtualUserNotFoundError()
      await recordAudit(tx, caller, {
        action: 'virtual_user.deleted',
        at,
        target: { type: 'virtual_user', id: user.id },
      })
    })
  }

  /** Removed profiles too. @throws VirtualUserNotFoundError */
  async function getEvenRemoved({ organizationId, workspaceId }: Caller, id: string): Promise<VirtualUser> {
    const user = await findUserEvenRemoved(db, organizationId, workspaceId, id)
    if (!user) throw new VirtualUserNotFoundError()
    return user
  }

  /** E-mails and names by ids, of those that were removed, too. */
  const listNames = (organizationId: string, ids: string[]) => userNames(db, organizationId, ids)

  /** Claims a profile before its erasure, so that nothing refers to it again. @throws VirtualUserNotFoundError */
  async function claimProfile(tx: Tx, organizationId: string, id: string): Promise<void> {
    if (!(await claimUser(tx, organizationId, id))) throw new VirtualUserNotFoundError()
  }

  /** Makes the e-mail of one profile stand for another; nothing may refer to the first any more. */
  const merge = (tx: Tx, organizationId: string, id: string, intoId: string) =>
    mergeUser(tx, organizationId, id, intoId, isoNow(clock))

  /** The row itself; nothing may refer to it any more. */
  const eraseProfile = (tx: Tx, organizationId: string, id: string) => deleteUser(tx, organizationId, id)

  return { create, list, get, update, remove, getEvenRemoved, listNames, claimProfile, merge, eraseProfile }
}

async function getUser(from: Db, { organizationId, workspaceId }: Caller, id: string): Promise<VirtualUser> {
  const user = await findUser(from, organizationId, workspaceId, id)
  if (!user) throw new VirtualUserNotFoundError()
  return user
}
