import type { Db, Tx } from '../../db.ts'
import type { AccessGrantTable } from '../access.tables.ts'
import { raiseFolderRights } from './folder-rights.ts'
import { selectGrantsOfMember } from './grants-of-member.ts'

export interface Resource {
  kind: AccessGrantTable['resource_kind']
  id: string
}

export interface Subject {
  kind: AccessGrantTable['subject_kind']
  /** Empty for admins. */
  id: string
}

/** A subject with its name, which is empty for admins and the workspace. */
export interface NamedSubject extends Subject {
  name: string
}

const selectGrants = (db: Db, organizationId: string, { kind, id }: Resource) =>
  db
    .selectFrom('access_grant')
    .where('access_grant.organization_id', '=', organizationId)
    .where('resource_kind', '=', kind)
    .where('resource_id', '=', id)

/** The subjects of a resource that are there. */
export async function listSubjects(db: Db, organizationId: string, resource: Resource): Promise<NamedSubject[]> {
  const rows = await selectGrants(db, organizationId, resource)
    .leftJoin('member', 'member.id', 'access_grant.subject_id')
    .leftJoin('account', 'account.id', 'member.account_id')
    .leftJoin('member_group', 'member_group.id', 'access_grant.subject_id')
    .select(['subject_kind', 'subject_id', 'account.name as memberName', 'member_group.name as groupName'])
    .orderBy('subject_kind')
    .orderBy('subject_id')
    .execute()
  return rows.flatMap(({ subject_kind: kind, subject_id: id, memberName, groupName }) => {
    const name = { admins: '', workspace: '', virtual_user: null, member: memberName, group: groupName }[kind]
    return name === null ? [] : [{ kind, id, name }]
  })
}

/** Name of a member of a workspace; undefined for somebody who is none. */
export async function findMemberName(
  db: Db,
  organizationId: string,
  workspaceId: string,
  memberId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select('account.name')
    .where('member.organization_id', '=', organizationId)
    .where('member.workspace_id', '=', workspaceId)
    .where('member.id', '=', memberId)
    .executeTakeFirst()
  return row?.name
}

/** Groups of a workspace, by name; at most this many. */
export const listGroupNames = (
  db: Db,
  organizationId: string,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('member_group')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('name_key')
    .limit(limit)
    .execute()

/** Members and groups of a workspace among the ids. */
export async function knownSubjects(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { memberIds, groupIds }: { memberIds: string[]; groupIds: string[] },
): Promise<{ member: Set<string>; group: Set<string> }> {
  const find = async (table: 'member' | 'member_group', ids: string[]) => {
    if (ids.length === 0) return new Set<string>()
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids)
      .execute()
    return new Set(rows.map(({ id }) => id))
  }
  return { member: await find('member', memberIds), group: await find('member_group', groupIds) }
}

/** Grants of one kind that a member has, by the id of the resource, with the time of the earliest. */
export async function listGrantsOf(
  db: Db,
  organizationId: string,
  { memberId, workspaceId, isAdmin }: { memberId: string; workspaceId: string; isAdmin: boolean },
  resource: { kind: Resource['kind']; id?: string },
): Promise<Map<string, string>> {
  const grants = selectGrantsOfMember(db, organizationId, memberId, [workspaceId, ...(isAdmin ? [''] : [])])
  let query = grants.where('resource_kind', '=', resource.kind)
  if (resource.id !== undefined) query = query.where('resource_id', '=', resource.id)
  const rows = await query
    .select((select) => ['resource_id', select.fn.min<string>('created_at').as('since')])
    .groupBy('resource_id')
    .execute()
  return new Map(rows.map(({ resource_id, since }) => [resource_id, since]))
}

/** These subjects are let, and no others; who was before keeps the time since when. */
export async function setSubjects(
  tx: Tx,
  organizationId: string,
  resource: Resource,
  { subjects, level, at }: { subjects: Subject[]; level: AccessGrantTable['level']; at: string },
): Promise<void> {
  const before = await selectGrants(tx, organizationId, resource).select(['subject_kind', 'subject_id']).execute()
  const wanted = new Set(subjects.map(keyOf))
  for (const { subject_kind: kind, subject_id: id } of before)
    if (!wanted.has(keyOf({ kind, id })))
      await tx
        .deleteFrom('access_grant')
        .where('organization_id', '=', organizationId)
        .where('resource_kind', '=', resource.kind)
        .where('resource_id', '=', resource.id)
        .where('subject_kind', '=', kind)
        .where('subject_id', '=', id)
        .execute()
  if (subjects.length === 0) return
  await tx
    .insertInto('access_grant')
    .values(
      subjects.map(({ kind, id }) => ({
        organization_id: organizationId,
        resource_kind: resource.kind,
        resource_id: resource.id,
        subject_kind: kind,
        subject_id: id,
        level,
        created_at: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes what a member or a group was let do, with the member or the group. */
export async function deleteGrantsOfSubject(tx: Tx, organizationId: string, subjectId: string): Promise<void> {
  await tx
    .deleteFrom('access_grant')
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', subjectId)
    .execute()
  await raiseFolderRights(tx, organizationId)
}

/** Removes what anybody was let do with resources that are gone. */
export async function deleteGrantsOfResources(
  tx: Tx,
  organizationId: string,
  kind: Resource['kind'],
  ids: string[],
): Promise<void> {
  await tx
    .deleteFrom('access_grant')
    .where('organization_id', '=', organizationId)
    .where('resource_kind', '=', kind)
    .where('resource_id', 'in', ids)
    .execute()
}

const keyOf = ({ kind, id }: Subject): string => `${kind} ${id}`
