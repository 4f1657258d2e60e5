import { noteNarrowedByGroups } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import { insertIntoGroups } from './groups.store.ts'

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
