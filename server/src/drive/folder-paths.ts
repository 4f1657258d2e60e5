import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface FolderPath {
  id: string
  /** Names from the outermost folder of the list down to this one. */
  path: string[]
}

/**
 * The live folders among the roots and below them by their paths, and how many there are in all. Where there are more
 * than `limit`, those further out.
 */
export async function listFolderPaths(
  db: Db,
  organizationId: string,
  rootFolderIds: string[],
  limit: number,
): Promise<{ folders: FolderPath[]; total: number }> {
  if (rootFolderIds.length === 0) return { folders: [], total: 0 }
  const rows = await withLevels(db, organizationId, rootFolderIds)
    .selectFrom('tree')
    .innerJoin('folder', 'folder.id', 'tree.id')
    .select((select) => [
      'folder.id',
      'folder.name',
      'folder.parent_id',
      // A root may lie below another one; what it is in then comes before it all the same.
      select.fn.max('tree.level').as('level'),
      sql<number>`count(*) over ()`.as('total'),
    ])
    .where('folder.organization_id', '=', organizationId)
    .groupBy(['folder.id', 'folder.name', 'folder.parent_id'])
    .orderBy('level')
    .orderBy('folder.id')
    .limit(limit)
    .execute()
  const paths = new Map<string, string[]>()
  for (const { id, name, parent_id } of rows) paths.set(id, [...(paths.get(parent_id ?? '') ?? []), name])
  const folders = [...paths].map(([id, path]) => ({ id, path }))
  folders.sort((a, b) => a.path.join('\n').localeCompare(b.path.join('\n')))
  return { folders, total: Number(rows[0]?.total ?? 0) }
}

const withLevels = (db: Db, organizationId: string, rootFolderIds: string[]) =>
  db.withRecursive('tree(id, level)', (tree) =>
    tree
      .selectFrom('folder')
      .select((select) => ['folder.id', select.lit(0).as('level')])
      .where('folder.organization_id', '=', organizationId)
      .where('folder.id', 'in', rootFolderIds)
      .where('folder.deleted_at', 'is', null)
      .union(
        tree
          .selectFrom('folder')
          .innerJoin('tree', 'tree.id', 'folder.parent_id')
          .select((select) => ['folder.id', select('tree.level', '+', 1).as('level')])
          .where('folder.organization_id', '=', organizationId)
          .where('folder.deleted_at', 'is', null),
      ),
  )
