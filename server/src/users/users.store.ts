import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { contains } from '../platform/database/contains.ts'
import { type CamelCased, camelCased, snakeCased } from '../platform/database/statements/camel-cased.ts'
import type { VirtualUserTable } from './users.tables.ts'

export type VirtualUser = CamelCased<Selectable<VirtualUserTable>>

const toRecord = (row: Selectable<VirtualUserTable> | undefined): VirtualUser | undefined => row && camelCased(row)

const usersOfWorkspace = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('virtual_user')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)

/** A live profile of the workspace. */
export const findUser = async (
  db: Db,
  organizationId: string,
  workspaceId: string,
  id: string,
): Promise<VirtualUser | undefined> =>
  toRecord(
    await usersOfWorkspace(db, organizationId, workspaceId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  )

const usersByEmail = (db: Db, organizationId: string, workspaceId: string, emailKey: string) =>
  usersOfWorkspace(db, organizationId, workspaceId).where('email_key', '=', emailKey)

/** The workspace's profile with that e-mail, removed or not. */
export const findUserByEmail = async (
  db: Db,
  organizationId: string,
  workspaceId: string,
  emailKey: string,
): Promise<VirtualUser | undefined> =>
  toRecord(await usersByEmail(db, organizationId, workspaceId, emailKey).executeTakeFirst())

/** Finds a profile that nobody erases before the end of the transaction, which may refer to it. */
export const holdUserByEmail = async (
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  emailKey: string,
): Promise<VirtualUser | undefined> =>
  toRecord(await usersByEmail(tx, organizationId, workspaceId, emailKey).forKeyShare().executeTakeFirst())

/** Holds a profile against erasure to the end of the transaction. @returns undefined if it is gone */
export const holdUser = async (tx: Tx, organizationId: string, id: string): Promise<VirtualUser | undefined> =>
  toRecord(
    await tx
      .selectFrom('virtual_user')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirst(),
  )

/** Lets the e-mail of a profile, and those that were merged into it before, stand for another profile. */
export async function mergeUser(tx: Tx, organizationId: string, id: string, intoId: string, at: string): Promise<void> {
  await tx
    .updateTable('virtual_user')
    .set({ merged_into: intoId, deleted_at: at })
    .where('organization_id', '=', organizationId)
    .where((where) => where.or([where('id', '=', id), where('merged_into', '=', id)]))
    .execute()
}

const usersInOrganization = (db: Db, organizationId: string, emailKey: string) =>
  db
    .selectFrom('virtual_user')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey)
    .where('deleted_at', 'is', null)
    .orderBy('id')

/** The oldest live profile with that e-mail in any workspace of the organization. */
export const findUserInOrganization = (db: Db, organizationId: string, emailKey: string) =>
  usersInOrganization(db, organizationId, emailKey).executeTakeFirst()

/** Finds the oldest live profile in the organization, and holds it as `holdUserByEmail` does. */
export const holdUserInOrganization = (tx: Tx, organizationId: string, emailKey: string) =>
  usersInOrganization(tx, organizationId, emailKey).limit(1).forKeyShare().executeTakeFirst()

/** @returns false when the workspace holds a profile with that e-mail already, removed or not. */
export async function insertUser(
  tx: Tx,
  organizationId: string,
  user: CamelCased<Omit<Insertable<VirtualUserTable>, 'organization_id'>>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('virtual_user')
    .values(snakeCased({ ...user, organizationId }))
    .onConflict((conflict) => conflict.columns(['organization_id', 'workspace_id', 'email_key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateUser(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: CamelCased<Updateable<VirtualUserTable>>,
): Promise<void> {
  await tx
    .updateTable('virtual_user')
    .set(snakeCased(changes))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** @returns false when somebody else did so before. */
export async function markUserRemoved(tx: Tx, organizationId: string, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('virtual_user')
    .set({ deleted_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export interface UserFilter {
  emailKey?: string
  /** Folded text that the e-mail, the name or the origin must hold. */
  search?: string
}

/** The workspace's live profiles, newest first, and how many there are in all. */
export async function listUsers(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { emailKey, search, limit, offset }: UserFilter & { limit: number; offset: number },
): Promise<{ users: VirtualUser[]; total: number }> {
  let matching = db
    .selectFrom('virtual_user')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
  if (emailKey !== undefined) matching = matching.where('email_key', '=', emailKey)
  if (search) {
    matching = matching.where((where) =>
      where.or([contains('email_key', search), contains('name_key', search), contains('origin_key', search)]),
    )
  }
  const users = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { users: users.map(camelCased), total: Number(total) }
}

/** A profile of the workspace, removed or not. */
export const findUserEvenRemoved = async (
  db: Db,
  organizationId: string,
  workspaceId: string,
  id: string,
): Promise<VirtualUser | undefined> =>
  toRecord(await usersOfWorkspace(db, organizationId, workspaceId).where('id', '=', id).executeTakeFirst())

/** Finds a profile to which nobody begins to refer before the end of the transaction. */
export const claimUser = (tx: Tx, organizationId: string, id: string) =>
  tx
    .selectFrom('virtual_user')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Names of virtual users of all workspaces, removed or not. */
export async function userNames(db: Db, organizationId: string, ids: string[]) {
  const rows = await db
    .selectFrom('virtual_user')
    .select(['id', 'email', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, email, name }) => [id, { email, name }]))
}

export async function deleteUser(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('virtual_user').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** The profile that an id stands for, removed or not: its own, or the one that it was merged into. */
export async function holderOfProfile(
  db: Db,
  organizationId: string,
  id: string,
): Promise<Pick<VirtualUser, 'id' | 'email'> | undefined> {
  return db
    .selectFrom('virtual_user as named')
    .innerJoin('virtual_user as holder', (join) =>
      join.on((on) =>
        on('holder.id', '=', on.fn.coalesce('named.merged_into', 'named.id')).and(
          'holder.organization_id',
          '=',
          organizationId,
        ),
      ),
    )
    .select(['holder.id', 'holder.email'])
    .where('named.organization_id', '=', organizationId)
    .where('named.id', '=', id)
    .executeTakeFirst()
}

/** A live profile of whatever workspace. */
export const findLiveUser = (db: Db, organizationId: string, id: string) =>
  db
    .selectFrom('virtual_user')
    .select(['id', 'email'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** E-mails of a profile, with those of the profiles that were merged into it. */
export async function findEmailsOfUser(db: Db, organizationId: string, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('virtual_user')
    .select('email')
    .where('organization_id', '=', organizationId)
    .where((where) => where.or([where('id', '=', id), where('merged_into', '=', id)]))
    .execute()
  return rows.map(({ email }) => email)
}
