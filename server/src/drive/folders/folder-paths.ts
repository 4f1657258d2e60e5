import type { Db } from '../../db.ts'
import type { FolderTree } from './folders.access.ts'

export interface FolderPath {
  id: string
  /** Names from the outermost folder of the list down to this one. */
  path: string[]
}

/**
 * The folders of a tree by their paths, and how many there are in all. Where there are more than `limit`, those further
 * out.
 */
export async function listFolderPaths(
  db: Db,
  { organizationId, folderIds: ids, roots: rootFolderIds }: FolderTree,
  limit: number,
): Promise<{ folders: FolderPath[]; total: number }> {
  if (ids.length === 0) return { folders: [], total: 0 }
  const inTree = new Set(ids)

  /** Folders of the tree, by id. */
  async function listNext(by: 'id' | 'parent_id', some: string[], most: number) {
    const rowsAfter = (id: string) =>
      db
        .selectFrom('folder')
        .select(['id', 'name', 'parent_id as parentId'])
        .where('organization_id', '=', organizationId)
        .where(by, 'in', some)
        .where('id', '>', id)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .limit(most)
        .execute()
    const found: Awaited<ReturnType<typeof rowsAfter>> = []
    for (let after = ''; ; ) {
      const rows = await rowsAfter(after)
      // Others lie there that may not be read.
      found.push(...rows.filter(({ id }) => inTree.has(id)))
      if (rows.length < most || found.length >= most) return found.slice(0, most)
      after = rows.at(-1)!.id
    }
  }

  const roots = await listNext('id', rootFolderIds, rootFolderIds.length)
  // A root may lie below another one, and comes where it lies.
  let level = roots.filter(({ parentId }) => parentId === null || !inTree.has(parentId)).slice(0, limit)
  const paths = new Map<string, string[]>()
  while (level.length > 0) {
    for (const { id, name, parentId } of level) paths.set(id, [...(paths.get(parentId ?? '') ?? []), name])
    const most = limit - paths.size
    const parents = level.map(({ id }) => id)
    level = most > 0 ? await listNext('parent_id', parents, most) : []
  }
  const folders = [...paths].map(([id, path]) => ({ id, path }))
  folders.sort((a, b) => a.path.join('\n').localeCompare(b.path.join('\n')))
  return { folders, total: ids.length }
}
