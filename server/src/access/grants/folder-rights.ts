import { randomUUID } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import type { FolderRights, FoundRights } from './folder-levels.ts'
import { rightsOfKeys, rightsOfMember } from './member-folder-rights.ts'
import { rightsOfVirtualUser } from './virtual-user-folder-rights.ts'

/**
 * Person for whom folders are read: the caller of a request, or the one whose question a run answers. Without a rights
 * holder and without a virtual user it is the organization itself, or a key of an owner or admin, which reads
 * everything.
 */
export interface FolderReader {
  organizationId: string
  workspaceId: string | null
  /** Holder of the rights that count, as `rightsHolderOf` says; null: all folders are read. */
  rightsHolderId: string | null
  virtualUserId?: string | null | undefined
}

/**
 * Part of what decides who may read which folder. What several say holds together: the lowest level counts. Whatever
 * changes what a source finds calls `raiseFolderRights` in the same transaction.
 */
export interface FolderRightsSource {
  /** Subject of the source: the id, unlike that of any other source, under which what it finds is cached. */
  subjectOf(reader: FolderReader): string | null | undefined
  /** @returns undefined for a subject that has what its role gives */
  find(db: Db, organizationId: string, subjectId: string): Promise<FoundRights | undefined>
}

const SOURCES: readonly FolderRightsSource[] = [
  { subjectOf: (reader) => (isOfKeys(reader) ? null : reader.rightsHolderId), find: rightsOfMember },
  { subjectOf: (reader) => (isOfKeys(reader) ? reader.rightsHolderId : null), find: rightsOfKeys },
  { subjectOf: ({ virtualUserId }) => virtualUserId, find: rightsOfVirtualUser },
]

/** Whether it is a key of the role member, for which the workspace holds the rights. */
const isOfKeys = ({ rightsHolderId, workspaceId }: FolderReader): boolean =>
  rightsHolderId != null && rightsHolderId === workspaceId

const LARGEST_CACHE = 10_000

type RightsCache = LRUCache<string, { version: string; rights: FolderRights | false }>

/** Cached rights by database, whose connections and transactions share the adapter. */
const caches = new WeakMap<object, RightsCache>()

const versionOf = prepared<Tables, { organizationId: string }, { version: string }>((db, { organizationId }) =>
  db.selectFrom('folder_rights_version').select('version').where('organization_id', '=', organizationId),
)

/**
 * Rights to folders of a reader, as they are now: a change counts from the moment that it is committed, whichever process
 * made it. Costs a statement by primary key, and nothing for keys of owners and admins.
 * @returns none for somebody who reads what their role lets them; of several, all hold
 */
export async function findFolderRights(db: Db, reader: FolderReader): Promise<readonly FolderRights[]> {
  const asked = SOURCES.flatMap(({ subjectOf, find }) => {
    const id = subjectOf(reader)
    return id == null ? [] : [{ id, find }]
  })
  if (asked.length === 0) return []
  const { organizationId } = reader
  const version = (await versionOf(db, { organizationId })).rows[0]?.version
  // Nobody has rights of their own.
  if (version === undefined) return []
  const known = cacheOf(db)
  const found: FolderRights[] = []
  for (const { id, find } of asked) {
    let entry = known.get(id)
    // Read after the version: what is cached may be newer than it says, and is then read again.
    if (entry?.version !== version) {
      const rights = await find(db, organizationId, id)
      entry = { version, rights: rights ? { ...rights, organizationId, version } : false }
      known.set(id, entry)
    }
    if (entry.rights) found.push(entry.rights)
  }
  return found
}

function cacheOf(db: Db): RightsCache {
  const { adapter } = db.getExecutor()
  let cache = caches.get(adapter)
  if (!cache) {
    cache = createLruCache(LARGEST_CACHE)
    caches.set(adapter, cache)
  }
  return cache
}

/**
 * Makes every process read rights to folders again, after a change of grants, groups or members, or a move of a folder.
 */
export async function raiseFolderRights(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .updateTable('folder_rights_version')
    .set({ version: randomUUID() })
    .where('organization_id', '=', organizationId)
    .execute()
}

/** Does as `raiseFolderRights` where there may have been no rights before. */
export async function beginFolderRights(tx: Tx, organizationId: string): Promise<void> {
  const version = randomUUID()
  await tx
    .insertInto('folder_rights_version')
    .values({ organization_id: organizationId, version })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ version }))
    .execute()
}

/** Notes that files have lists of their readers, which are asked for from then on. */
export async function beginReaderLists(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .insertInto('folder_rights_version')
    .values({ organization_id: organizationId, version: randomUUID(), has_reader_lists: 1 })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ has_reader_lists: 1 }))
    .execute()
}
