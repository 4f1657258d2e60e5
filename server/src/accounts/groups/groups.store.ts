import type { Selectable } from 'kysely'
import { raiseFolderRights } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { MemberGroupTable } from '../accounts.tables.ts'

export type GroupRecord = CamelCased<Selectable<MemberGroupTable>>
/** A group with the number of its members. */
export type GroupWithSize = GroupRecord & { members: number }

const selectGroups = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('member_group')
    .where('member_group.organization_id', '=', organizationId)
    .where('member_group.workspace_id', '=', workspaceId)

export async function listGroups(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ groups: GroupWithSize[]; total: number }> {
  const { total } = await selectGroups(db, organizationId, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const groups = await selectWithSizes(db, organizationId, workspaceId)
    .orderBy('member_group.name_key')
    .limit(limit)
    .offset(offset)
    .execute()
  return { groups: groups.map(toSized), total: Number(total) }
}

const selectWithSizes = (db: Db, organizationId: string, workspaceId: string) =>
  selectGroups(db, organizationId, workspaceId)
    .leftJoin('group_member', 'group_member.group_id', 'member_group.id')
    .selectAll('member_group')
    .select((select) => select.fn.count<number>('group_member.member_id').as('members'))
    .groupBy('member_group.id')

const toSized = (row: Selectable<MemberGroupTable> & { members: number }): GroupWithSize => ({
  ...camelCased(row),
  members: Number(row.members),
})

export async function findGroup(
  db: Db,
  organizationId: string,
  workspaceId: string,
  groupId: string,
): Promise<GroupWithSize | undefined> {
  const found = selectWithSizes(db, organizationId, workspaceId).where('member_group.id', '=', groupId)
  const group = await found.executeTakeFirst()
  return group && toSized(group)
}

export const findGroupByName = (db: Db, organizationId: string, workspaceId: string, nameKey: string) =>
  selectGroups(db, organizationId, workspaceId)
    .select('member_group.id')
    .where('name_key', '=', nameKey)
    .executeTakeFirst()

/** Filters ids down to groups of the workspace. */
export async function findGroups(
  db: Db,
  organizationId: string,
  workspaceId: string,
  ids: string[],
): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return []
  return selectGroups(db, organizationId, workspaceId).select(['id', 'name']).where('id', 'in', ids).execute()
}

export async function insertGroup(
  tx: Tx,
  organizationId: string,
  group: Omit<GroupRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('member_group')
    .values(snakeCased({ ...group, organizationId }))
    .execute()
}

export async function renameGroup(
  tx: Tx,
  organizationId: string,
  groupId: string,
  names: Pick<GroupRecord, 'name' | 'nameKey'>,
): Promise<void> {
  await tx
    .updateTable('member_group')
    .set(snakeCased(names))
    .where('organization_id', '=', organizationId)
    .where('id', '=', groupId)
    .execute()
}

export async function deleteGroup(tx: Tx, organizationId: string, groupId: string): Promise<void> {
  await tx
    .deleteFrom('group_member')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .execute()
  await tx.deleteFrom('member_group').where('organization_id', '=', organizationId).where('id', '=', groupId).execute()
}

export async function insertIntoGroups(
  tx: Tx,
  organizationId: string,
  memberId: string,
  groupIds: string[],
): Promise<void> {
  if (groupIds.length > 0)
    await tx
      .insertInto('group_member')
      .values(groupIds.map((group_id) => ({ organization_id: organizationId, group_id, member_id: memberId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await raiseFolderRights(tx, organizationId)
}
