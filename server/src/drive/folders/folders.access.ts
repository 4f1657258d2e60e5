import { ForbiddenError, type Granted, grant } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { isId } from '../../platform/ids.ts'
import { FolderNotFoundError } from '../drive.errors.ts'
import { findFoldersOfSharers, findSharedAncestors, listReceivedFolders } from '../shares/shares.store.ts'
import { foldersAbove, liveFolderTree } from './folder-tree.ts'
import { type Folder, findFolder } from './folders.store.ts'

export type ReadableFolder = Granted<Folder, 'read'>
export type WritableFolder = Granted<Folder, 'read' | 'write'>

/**
 * A folder of the organization's own, which it may change.
 * @throws FolderNotFoundError if it is absent or deleted, or the id is none; ForbiddenError if it is another
 * organization's and only shared.
 */
export async function getFolder(db: Db, organizationId: string, folderId: string): Promise<WritableFolder> {
  const folder = isId(folderId) ? await findFolder(db, organizationId, folderId) : undefined
  if (folder) return grant(folder)
  await getReadableFolder(db, organizationId, folderId)
  throw new ForbiddenError('This knowledge base belongs to another organization, which shares it for reading only')
}

/**
 * A folder that the organization may read: its own, or one that lies in what is shared with it. `organization_id` says
 * whose it is; what is in it must be asked for by that. @throws FolderNotFoundError
 */
export async function getReadableFolder(db: Db, organizationId: string, folderId: string): Promise<ReadableFolder> {
  const folder = isId(folderId) ? await findReadable(db, organizationId, folderId) : undefined
  if (!folder) throw new FolderNotFoundError()
  return grant(folder)
}

const findReadable = async (db: Db, organizationId: string, folderId: string): Promise<Folder | undefined> =>
  (await findFolder(db, organizationId, folderId)) ?? (await findSharedFolders(db, organizationId, [folderId]))[0]

/**
 * Ids of the live folders among the roots and, unless told otherwise, of all below them that the organization may
 * read, by the organization that owns them. What is its own comes first; a tree that is empty is left out.
 */
export async function readableFolderTree(
  db: Db,
  organizationId: string,
  rootFolderIds: string[],
  { recursive = true }: { recursive?: boolean } = {},
): Promise<FolderTree[]> {
  const own = await liveFolderTree(db, organizationId, rootFolderIds, { recursive })
  const trees: FolderTree[] = own.length > 0 ? [{ organizationId, folderIds: own }] : []
  const isOwn = new Set(own)
  const others = rootFolderIds.filter((id) => !isOwn.has(id))
  if (others.length === 0) return trees
  const shared = await findSharedFolders(db, organizationId, others)
  for (const [owner, folders] of Map.groupBy(shared, (folder) => folder.organization_id)) {
    const roots = folders.map((folder) => folder.id)
    trees.push({ organizationId: owner, folderIds: await liveFolderTree(db, owner, roots, { recursive }) })
  }
  return trees
}

/** Whether a folder is one of the roots or lies below one, and may be read. */
export async function isReadableBelow(
  db: Db,
  organizationId: string,
  folderId: string,
  rootFolderIds: string[],
): Promise<boolean> {
  const folder = isId(folderId) ? await findReadable(db, organizationId, folderId) : undefined
  if (!folder) return false
  const above = new Set(await foldersAbove(db, folder.organization_id, folder.id))
  return rootFolderIds.some((id) => above.has(id))
}

export interface FolderTree {
  /** Organization that the folders belong to. */
  organizationId: string
  folderIds: string[]
}

/** Roots of what other organizations share with this one, by name. */
export async function listSharedRoots(db: Db, organizationId: string): Promise<Folder[]> {
  const named = await listReceivedFolders(db, organizationId)
  const folders = await asRecipientSees(db, organizationId, named)
  return folders.filter((folder) => folder.parent_id === null)
}

async function findSharedFolders(db: Db, organizationId: string, folderIds: string[]): Promise<Folder[]> {
  return asRecipientSees(db, organizationId, await findFoldersOfSharers(db, organizationId, folderIds))
}

/** Folders that are in a share, in their order; the outermost one that is shared has no parent for the recipient. */
async function asRecipientSees(db: Db, organizationId: string, folders: Folder[]): Promise<Folder[]> {
  const sharedIn = new Map<string, string[]>()
  for (const [owner, owned] of Map.groupBy(folders, (folder) => folder.organization_id)) {
    const ids = owned.map((folder) => folder.id)
    for (const { folderId, sharedId } of await findSharedAncestors(db, owner, organizationId, ids)) {
      sharedIn.set(folderId, [...(sharedIn.get(folderId) ?? []), sharedId])
    }
  }
  return folders.flatMap((folder) => {
    const shared = sharedIn.get(folder.id)
    if (!shared) return []
    const isOutermost = shared.every((id) => id === folder.id)
    return [isOutermost ? { ...folder, parent_id: null } : folder]
  })
}
