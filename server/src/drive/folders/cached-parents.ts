import type { LRUCache } from 'lru-cache'
import type { FolderRights } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { parentsAbove } from './folders-above.ts'

const MOST_FOLDERS = 50_000

type ParentCache = LRUCache<string, { version: string; parentId: string | null }>

/** Cached parents by database, whose connections and transactions share the adapter. */
const caches = new WeakMap<object, ParentCache>()

/**
 * These folders and all that they lie in, deleted or not, each with its parent: as `parentsAbove`, cached for folders
 * of the organization whose rights these are. A move gives its rights another version, and no other change moves a folder.
 */
export async function parentsUnder(
  db: Db,
  { organizationId, version }: FolderRights,
  owner: string,
  folderIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (owner !== organizationId) return parentsAbove(db, owner, folderIds)
  const cache = cacheOf(db)
  const parents = new Map<string, string | null>()
  const unknown: string[] = []
  for (const folderId of folderIds)
    for (let id: string | null = folderId; id !== null && !parents.has(id); ) {
      const known = cache.get(id)
      if (known?.version !== version) {
        unknown.push(id)
        break
      }
      parents.set(id, known.parentId)
      id = known.parentId
    }
  if (unknown.length === 0) return parents
  for (const [id, parentId] of await parentsAbove(db, owner, unknown)) {
    cache.set(id, { version, parentId })
    parents.set(id, parentId)
  }
  return parents
}

function cacheOf(db: Db): ParentCache {
  const { adapter } = db.getExecutor()
  let cache = caches.get(adapter)
  if (!cache) {
    cache = createLruCache(MOST_FOLDERS)
    caches.set(adapter, cache)
  }
  return cache
}
