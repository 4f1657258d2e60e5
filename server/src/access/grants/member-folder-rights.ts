import type { Db } from '../../db.ts'
import { type FolderLevel, type FoundRights, higherOf } from './folder-levels.ts'
import { selectGrantsOfMember } from './grants-of-member.ts'

/** Kinds of subjects by how near they are to the member: within one folder the nearest with an entry decides. */
const NEARNESS = { everyone: 0, group: 1, member: 2, admins: 0, virtual_user: 0 } as const

/**
 * Rights of a member by entries of theirs, of their groups and of everyone in their workspace. Owners and admins of the
 * workspace manage all folders.
 * @returns undefined where no entry concerns them; for a member who is gone, those of nobody
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
  const rows = await selectGrantsOfMember(db, organizationId, memberId, [member.workspace_id])
    .where('resource_kind', '=', 'folder')
    .select(['resource_id', 'subject_kind', 'level'])
    .execute()
  if (rows.length === 0) return undefined
  const deciding = new Map<string, { nearness: number; level: FolderLevel }>()
  for (const { resource_id: id, subject_kind: kind, level: stored } of rows) {
    const level = stored as FolderLevel
    const nearness = NEARNESS[kind]
    const known = deciding.get(id)
    if (!known || known.nearness < nearness) deciding.set(id, { nearness, level })
    else if (known.nearness === nearness) known.level = higherOf(known.level, level)
  }
  return {
    entries: new Map([...deciding].map(([id, { level }]) => [id, level])),
    otherwise: undefined,
    since: member.narrowed_at ?? undefined,
  }
}
