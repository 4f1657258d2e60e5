import type { Db, Tx } from '../../db.ts'
import type { FolderLevel } from './folder-levels.ts'
import { beginFolderRights } from './folder-rights.ts'
import { deleteGrantsOfSubject } from './grants.store.ts'
import { EVERY_FOLDER, selectGrantsOfVirtualUser } from './virtual-user-folder-rights.ts'

/** Folders that a virtual user was granted, in order of their ids, deleted or not; null for one without grants. */
export async function listGrantedFolders(
  db: Db,
  organizationId: string,
  virtualUserId: string,
): Promise<string[] | null> {
  return (await findGrants(db, organizationId, virtualUserId))?.folderIds ?? null
}

/** Grants of a virtual user, with the time of the last change that took something away. */
async function findGrants(db: Db, organizationId: string, virtualUserId: string) {
  const rows = await selectGrantsOfVirtualUser(db, organizationId, virtualUserId)
    .select(['resource_id', 'created_at'])
    .orderBy('resource_id')
    .execute()
  const [all, ...folders] = rows
  return all && { folderIds: folders.map(({ resource_id: id }) => id), since: all.created_at }
}

/** Lets a virtual user read these folders and what is below them, and no others; null: what the key may. */
export async function setGrantedFolders(
  tx: Tx,
  organizationId: string,
  virtualUserId: string,
  { folderIds, at }: { folderIds: readonly string[] | null; at: string },
): Promise<void> {
  const before = await findGrants(tx, organizationId, virtualUserId)
  await deleteGrantsOfSubject(tx, organizationId, virtualUserId)
  if (folderIds === null) return
  const isWider = before?.folderIds.every((id) => folderIds.includes(id))
  const entryOf = (resource_id: string, level: FolderLevel, created_at = at) => ({
    organization_id: organizationId,
    resource_kind: 'folder' as const,
    resource_id,
    subject_kind: 'virtual_user' as const,
    subject_id: virtualUserId,
    level,
    created_at,
  })
  const folders = [...new Set(folderIds)].map((id) => entryOf(id, 'read'))
  await tx
    .insertInto('access_grant')
    .values([entryOf(EVERY_FOLDER, 'none', isWider ? before!.since : at), ...folders])
    .execute()
  await beginFolderRights(tx, organizationId)
}

/** Gives the grants of a virtual user to another one, unless that one has its own, which then count. */
export async function moveGrantedFolders(
  tx: Tx,
  organizationId: string,
  fromId: string,
  toId: string,
  at: string,
): Promise<void> {
  const folderIds = await listGrantedFolders(tx, organizationId, fromId)
  if (folderIds !== null && (await listGrantedFolders(tx, organizationId, toId)) === null)
    await setGrantedFolders(tx, organizationId, toId, { folderIds, at })
  await deleteGrantsOfSubject(tx, organizationId, fromId)
}
