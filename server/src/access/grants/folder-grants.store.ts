import type { Db, Tx } from '../../db.ts'
import type { FolderLevel } from './folder-levels.ts'
import { beginFolderRights } from './folder-rights.ts'
import { knownSubjects } from './grants.store.ts'
import { narrowedBy, noteNarrowed } from './narrowed-members.ts'

/** Right of a member, a group or everyone in a workspace to a folder. */
export interface FolderGrant {
  folderId: string
  kind: 'member' | 'group' | 'workspace'
  id: string
  /** Empty for a workspace. */
  name: string
  level: FolderLevel
}

/** Grants of folders that concern people of a workspace. */
export async function listFolderGrants(
  db: Db,
  organizationId: string,
  workspaceId: string,
  folderIds: string[],
): Promise<FolderGrant[]> {
  const rows = await db
    .selectFrom('access_grant')
    .leftJoin('member', (join) =>
      join.onRef('member.id', '=', 'subject_id').on('member.workspace_id', '=', workspaceId),
    )
    .leftJoin('account', 'account.id', 'member.account_id')
    .leftJoin('member_group', (join) =>
      join.onRef('member_group.id', '=', 'subject_id').on('member_group.workspace_id', '=', workspaceId),
    )
    .select(['resource_id', 'subject_kind', 'subject_id', 'level'])
    .select(['account.name as memberName', 'member_group.name as groupName'])
    .where('access_grant.organization_id', '=', organizationId)
    .where('resource_kind', '=', 'folder')
    .where('resource_id', 'in', folderIds)
    .orderBy('subject_kind')
    .orderBy('subject_id')
    .execute()
  return rows.flatMap((row): FolderGrant[] => {
    const { resource_id: folderId, subject_kind: kind, subject_id: id, level: stored, memberName, groupName } = row
    const level = stored as FolderLevel
    if (kind === 'workspace') return id === workspaceId ? [{ folderId, kind, id, name: '', level }] : []
    if (kind === 'admins' || kind === 'virtual_user') return []
    const name = kind === 'member' ? memberName : groupName
    return name === null ? [] : [{ folderId, kind, id, name, level }]
  })
}

/** Grants of a folder to people of a workspace, from now on; those to people of others stay. */
export async function setFolderGrants(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  folderId: string,
  { grants, at }: { grants: Pick<FolderGrant, 'kind' | 'id' | 'level'>[]; at: string },
): Promise<void> {
  const before = await tx
    .selectFrom('access_grant')
    .select(['subject_kind as kind', 'subject_id as id', 'level'])
    .where('organization_id', '=', organizationId)
    .where('resource_kind', '=', 'folder')
    .where('resource_id', '=', folderId)
    .execute()
  const idsOf = (kind: string) => before.filter((one) => one.kind === kind).map(({ id }) => id)
  const ours = await knownSubjects(tx, organizationId, workspaceId, {
    memberIds: idsOf('member'),
    groupIds: idsOf('group'),
  })
  const ourIds = [workspaceId, ...ours.member, ...ours.group]
  await tx
    .deleteFrom('access_grant')
    .where('organization_id', '=', organizationId)
    .where('resource_kind', '=', 'folder')
    .where('resource_id', '=', folderId)
    .where('subject_id', 'in', ourIds)
    .execute()
  if (grants.length > 0)
    await tx
      .insertInto('access_grant')
      .values(
        grants.map(({ kind, id, level }) => ({
          organization_id: organizationId,
          resource_kind: 'folder' as const,
          resource_id: folderId,
          subject_kind: kind,
          subject_id: id,
          level,
          created_at: at,
        })),
      )
      .execute()
  const oursBefore = before.filter(({ id }) => ourIds.includes(id))
  await noteNarrowed(tx, organizationId, narrowedBy(oursBefore, grants), at)
  await beginFolderRights(tx, organizationId)
}

/** Members of groups, by the id of the group. */
export async function membersOfGroups(
  db: Db,
  organizationId: string,
  groupIds: string[],
): Promise<Map<string, Set<string>>> {
  if (groupIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('group_member')
    .select(['group_id', 'member_id'])
    .where('organization_id', '=', organizationId)
    .where('group_id', 'in', groupIds)
    .execute()
  const groups = Map.groupBy(rows, ({ group_id }) => group_id)
  return new Map([...groups].map(([id, members]) => [id, new Set(members.map(({ member_id }) => member_id))]))
}
