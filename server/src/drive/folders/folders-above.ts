import type { Db } from '../../db.ts'
import { slicesOf } from '../../platform/database/in-slices.ts'

/** Ids of a folder and of those that it lies in, deleted or not. */
export async function foldersAbove(db: Db, organizationId: string, folderId: string): Promise<string[]> {
  return [...(await parentsAbove(db, organizationId, [folderId])).keys()]
}

/** These folders and all that they lie in, deleted or not, each with its parent; null at the root. */
export async function parentsAbove(
  db: Db,
  organizationId: string,
  folderIds: readonly string[],
): Promise<Map<string, string | null>> {
  const parents = new Map<string, string | null>()
  for (const ids of slicesOf([...folderIds])) {
    const rows = await db
      .withRecursive('line(id, parent_id)', (line) =>
        line
          .selectFrom('folder')
          .select(['folder.id', 'folder.parent_id'])
          .where('folder.organization_id', '=', organizationId)
          .where('folder.id', 'in', ids)
          .union(
            line
              .selectFrom('folder')
              .innerJoin('line', 'line.parent_id', 'folder.id')
              .select(['folder.id', 'folder.parent_id'])
              .where('folder.organization_id', '=', organizationId),
          ),
      )
      .selectFrom('line')
      .select(['line.id', 'line.parent_id'])
      .execute()
    for (const { id, parent_id } of rows) parents.set(id, parent_id)
  }
  return parents
}

/** How deep a folder lies: 1 for one at the root, 0 for none. */
export async function folderDepth(db: Db, organizationId: string, folderId: string | null): Promise<number> {
  return folderId === null ? 0 : (await foldersAbove(db, organizationId, folderId)).length
}
