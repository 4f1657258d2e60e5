import type { Db } from '../../db.ts'
import { type FolderLevel, type FoundRights, higherOf } from './folder-levels.ts'
import { selectGrantsOfMember } from './grants-of-member.ts'

/**
 * Rights of a member by grants to them, to their groups and to everyone in their workspace. Owners and admins of the
 * workspace manage all folders.
 * @returns undefined where no grant concerns them; for a member who is gone, rights to nothing
 */
export async function rightsOfMember(
  db: Db,
  organizationId: string,
  memberId: string,
): Promise<FoundRights | undefined> {
  const member = await db
    .selectFrom('member')
    .select(['role', 'workspace_id', 'narrowed_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .executeTakeFirst()
  if (!member) return { entries: new Map(), otherwise: 'none' }
  if (member.role !== 'member') return undefined
  const grants = await selectGrantsOfMember(db, organizationId, memberId, [member.workspace_id])
    .where('resource_kind', '=', 'folder')
    .select(['resource_id', 'level'])
    .execute()
  return toRights(grants, member.narrowed_at)
}

/** Rights of the keys of a workspace that have the role member: by grants to everyone in it. */
export async function rightsOfKeys(
  db: Db,
  organizationId: string,
  workspaceId: string,
): Promise<FoundRights | undefined> {
  const grants = await db
    .selectFrom('access_grant')
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', workspaceId)
    .where('resource_kind', '=', 'folder')
    .select(['resource_id', 'level'])
    .execute()
  return grants.length === 0 ? undefined : toRights(grants, await findNarrowedAt(db, organizationId, workspaceId))
}

/** Rights by grants, of which at one folder the widest counts. */
function toRights(
  grants: { resource_id: string; level: string }[],
  narrowedAt: string | null,
): FoundRights | undefined {
  if (grants.length === 0) return undefined
  const entries = new Map<string, FolderLevel>()
  for (const { resource_id: id, level } of grants)
    entries.set(id, higherOf(entries.get(id) ?? 'none', level as FolderLevel))
  return { entries, otherwise: undefined, since: narrowedAt ?? undefined }
}

/** Time since which the keys of a workspace with the role member may read less. */
async function findNarrowedAt(db: Db, organizationId: string, workspaceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('workspace')
    .select('keys_narrowed_at')
    .where('organization_id', '=', organizationId)
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.keys_narrowed_at ?? null
}
