import type { Selectable } from 'kysely'
import { noteNarrowedByGroups, raiseFolderRights } from '../../access/access.ts'
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

/** Groups of each member, by the member's id. */
export async function listGroupsOfMembers(
  db: Db,
  organizationId: string,
  memberIds: string[],
): Promise<Map<string, { id: string; name: string }[]>> {
  if (memberIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('group_member')
    .innerJoin('member_group', 'member_group.id', 'group_member.group_id')
    .select(['group_member.member_id', 'member_group.id', 'member_group.name'])
    .where('group_member.organization_id', '=', organizationId)
    .where('group_member.member_id', 'in', memberIds)
    .orderBy('member_group.name_key')
    .execute()
  const groups = Map.groupBy(rows, ({ member_id }) => member_id)
  return new Map([...groups].map(([id, of]) => [id, of.map(({ id, name }) => ({ id, name }))]))
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

export async function addToGroups(
  tx: Tx,
  organizationId: string,
  memberId: string,
  groupIds: string[],
  at: string,
): Promise<void> {
  if (groupIds.length === 0) return
  await noteNarrowedByGroups(tx, organizationId, { memberId, left: [], joined: groupIds }, at)
  await insertIntoGroups(tx, organizationId, memberId, groupIds)
}

async function insertIntoGroups(tx: Tx, organizationId: string, memberId: string, groupIds: string[]): Promise<void> {
  if (groupIds.length > 0)
    await tx
      .insertInto('group_member')
      .values(groupIds.map((group_id) => ({ organization_id: organizationId, group_id, member_id: memberId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await raiseFolderRights(tx, organizationId)
}

/** The member is in these groups from now on, and in no others. */
export async function setGroups(
  tx: Tx,
  organizationId: string,
  memberId: string,
  groupIds: string[],
  at: string,
): Promise<void> {
  const rows = await tx
    .deleteFrom('group_member')
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .returning('group_id')
    .execute()
  const before = rows.map(({ group_id }) => group_id)
  const left = before.filter((id) => !groupIds.includes(id))
  const joined = groupIds.filter((id) => !before.includes(id))
  await noteNarrowedByGroups(tx, organizationId, { memberId, left, joined }, at)
  await insertIntoGroups(tx, organizationId, memberId, groupIds)
}
