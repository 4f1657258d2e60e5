import type { Db } from '../../db.ts'
import type { FolderLevel, FoundRights } from './folder-levels.ts'

/**
 * Stands for all folders: an entry of it says that the virtual user has grants, and so reads nothing else. Without it
 * somebody whose last folder was deleted would read all that the key does. Its time is that of the last change that took
 * something away.
 */
export const EVERY_FOLDER = ''

/** Grants of folders that a virtual user has. */
export const selectGrantsOfVirtualUser = (db: Db, organizationId: string, virtualUserId: string) =>
  db
    .selectFrom('access_grant')
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', virtualUserId)
    .where('resource_kind', '=', 'folder')

/** @returns undefined for a virtual user without grants, who reads what the key may */
export async function rightsOfVirtualUser(
  db: Db,
  organizationId: string,
  virtualUserId: string,
): Promise<FoundRights | undefined> {
  const rows = await selectGrantsOfVirtualUser(db, organizationId, virtualUserId)
    .select(['resource_id', 'level', 'created_at'])
    .execute()
  if (rows.length === 0) return undefined
  const folders = rows.filter(({ resource_id: id }) => id !== EVERY_FOLDER)
  return {
    entries: new Map(folders.map(({ resource_id: id, level }) => [id, level as FolderLevel])),
    otherwise: 'none',
    since: rows.find(({ resource_id: id }) => id === EVERY_FOLDER)?.created_at,
  }
}
