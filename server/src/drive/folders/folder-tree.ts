import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '../../db.ts'
import { A_SLICE, runsInThread, slicesOf } from '../../platform/database/in-slices.ts'

/** A folder at the root has depth 1. */
export const DEEPEST_FOLDER = 32

export interface TreeOptions {
  /** Includes everything below the folders. Default true. */
  recursive?: boolean
  /** Folders that are left out with what is below them, unless they are roots. */
  stops?: readonly string[]
}

/**
 * Ids of the live folders among `rootFolderIds` and, by default, of all live folders below them, each once.
 * Asked of PostgreSQL with one statement; on the embedded database, where that would hold up the event loop, with many.
 */
export async function liveFolderTree(
  db: Db,
  organizationId: string,
  rootFolderIds: string[],
  { recursive = true, stops = [] }: TreeOptions = {},
): Promise<string[]> {
  if (rootFolderIds.length === 0) return []
  if (!recursive) {
    const rows = await db
      .selectFrom('folder')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', rootFolderIds)
      .where('deleted_at', 'is', null)
      .execute()
    return rows.map((row) => row.id)
  }
  if (runsInThread(db)) return walkTree(db, organizationId, rootFolderIds, stops)
  const rows = await withLiveTree(db, organizationId, rootFolderIds, stops)
    .selectFrom('tree')
    .select('tree.id')
    .execute()
  return rows.map((row) => row.id)
}

const liveFolders = (db: Db, organizationId: string) =>
  db.selectFrom('folder').where('organization_id', '=', organizationId).where('deleted_at', 'is', null)

/** Level by level and in slices, between which the event loop turns: there may be very many. */
async function walkTree(
  db: Db,
  organizationId: string,
  rootFolderIds: string[],
  stops: readonly string[],
): Promise<string[]> {
  const stopped = new Set(stops)
  const roots = await liveFolders(db, organizationId).select('id').where('id', 'in', rootFolderIds).execute()
  const found = new Set(roots.map(({ id }) => id))
  let level = [...found]
  let readSinceTurn = 0
  while (level.length > 0) {
    const below: string[] = []
    for (const parents of slicesOf(level, PARENTS_AT_ONCE))
      for await (const ids of listChildren(db, organizationId, parents)) {
        for (const id of ids) {
          // One root may lie below another.
          if (found.has(id) || stopped.has(id)) continue
          found.add(id)
          below.push(id)
        }
        readSinceTurn += parents.length + ids.length
        if (readSinceTurn < A_SLICE) continue
        readSinceTurn = 0
        await yieldToEventLoop()
      }
    level = below
  }
  return [...found]
}

/** Most folders have few others in them. */
const PARENTS_AT_ONCE = A_SLICE / 4

/** Ids of the live folders directly inside these, however many are in one of them. */
async function* listChildren(db: Db, organizationId: string, parentIds: string[]): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const children = await liveFolders(db, organizationId)
      .select('id')
      .where('parent_id', 'in', parentIds)
      .where('id', '>', after)
      .orderBy('id')
      .limit(A_SLICE)
      .execute()
    yield children.map(({ id }) => id)
    if (children.length < A_SLICE) return
    after = children.at(-1)!.id
  }
}

/** Starts a statement that knows those folders as the table `tree`, however many they are. */
export const withLiveTree = (
  db: Db,
  organizationId: string,
  rootFolderIds: readonly string[],
  stops: readonly string[] = [],
) =>
  db.withRecursive('tree(id)', (tree) =>
    tree
      .selectFrom('folder')
      .select('folder.id')
      .where('folder.organization_id', '=', organizationId)
      .where('folder.id', 'in', rootFolderIds)
      .where('folder.deleted_at', 'is', null)
      // Not `union all`: one root may lie below another.
      .union(
        tree
          .selectFrom('folder')
          .innerJoin('tree', 'tree.id', 'folder.parent_id')
          .select('folder.id')
          .where('folder.organization_id', '=', organizationId)
          .where('folder.deleted_at', 'is', null)
          .$if(stops.length > 0, (below) => below.where('folder.id', 'not in', stops)),
      ),
  )

/** Ids from a folder up to the root. */
export function lineFrom(folderId: string, parents: ReadonlyMap<string, string | null>): string[] {
  const line: string[] = []
  for (let id: string | null | undefined = folderId; id != null; id = parents.get(id)) line.push(id)
  return line
}

/** A folder and what lies below it, deleted or not, the folder itself first at level 0, deeper ones later. */
export async function wholeTree(
  db: Db,
  organizationId: string,
  folderId: string,
): Promise<{ id: string; level: number }[]> {
  const rows = await db
    .withRecursive('tree(id, level)', (tree) =>
      tree
        .selectFrom('folder')
        .select((select) => ['folder.id', select.lit(0).as('level')])
        .where('folder.organization_id', '=', organizationId)
        .where('folder.id', '=', folderId)
        .union(
          tree
            .selectFrom('folder')
            .innerJoin('tree', 'tree.id', 'folder.parent_id')
            .select((select) => ['folder.id', select('tree.level', '+', 1).as('level')])
            .where('folder.organization_id', '=', organizationId),
        ),
    )
    .selectFrom('tree')
    .select(['tree.id', 'tree.level'])
    .orderBy('tree.level')
    .execute()
  return rows.map((row) => ({ id: row.id, level: Number(row.level) }))
}
