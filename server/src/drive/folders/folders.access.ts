import {
  type Caller,
  type FolderLevel,
  type FolderReader,
  ForbiddenError,
  type Granted,
  grant,
  isAdmin,
  isBound,
} from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { isId } from '../../platform/ids.ts'
import { FolderNotFoundError } from '../drive.errors.ts'
import type { FilesAt } from '../files/data-sources.store.ts'
import { type FileRights, findFileRights } from '../files/readers/file-rights.ts'
import { findFoldersOfSharers, listReceivedFolders } from '../shares/received-shares.store.ts'
import { findSharedAncestors } from '../shares/shared-ancestors.store.ts'
import { liveFolderTree } from './folder-tree.ts'
import { type Folder, findFolder, findFolders, listFolders } from './folders.store.ts'
import { parentsAbove } from './folders-above.ts'
import {
  allows,
  allowsWhole,
  findLevel,
  findOpenings,
  findRights,
  isReadable,
  type ReadableWalk,
  readableAmong,
  readableWalk,
} from './reader-rights.ts'

export type ReadableFolder = Granted<Folder, 'read'>
export type WritableFolder = Granted<Folder, 'read' | 'write'>
export type ManageableFolder = Granted<Folder, 'read' | 'write' | 'manage'>

/**
 * A folder of the organization's own, which the reader may change.
 * @throws FolderNotFoundError if it is absent or deleted, the id is none, or they may not read it; ForbiddenError if it
 * is another organization's and only shared, or their rights end before.
 */
export async function getFolder(
  db: Db,
  reader: FolderReader,
  folderId: string,
  wanted: FolderLevel = 'write',
): Promise<WritableFolder> {
  const folder = isId(folderId) ? await findFolder(db, reader.organizationId, folderId) : undefined
  if (folder) {
    const level = await findLevel(db, await findRights(db, reader), folder)
    if (!isReadable(level)) throw new FolderNotFoundError()
    if (!allows(level, wanted)) throw new ForbiddenError(`Your rights to this knowledge base end at: ${level}`)
    return grant(folder)
  }
  await getReadableFolder(db, reader, folderId)
  throw new ForbiddenError('This knowledge base belongs to another organization, which shares it for reading only')
}

/**
 * A folder of which the reader may say who may do what with it: admins of all, others where a right says so.
 * @throws FolderNotFoundError, ForbiddenError
 */
export async function getManageableFolder(db: Db, caller: Caller, folderId: string): Promise<ManageableFolder> {
  const folder = await getFolder(db, caller, folderId, 'manage')
  const level = await findLevel(db, await findRights(db, caller), folder)
  if (!isAdmin(caller) && level === undefined)
    throw new ForbiddenError('Only admins, and who has the right to manage it, see and change the rights to a folder')
  return grant(folder)
}

/** Whether the caller may say who may do what with a folder that they may read. */
export async function isManageable(db: Db, caller: Caller, folder: ReadableFolder): Promise<boolean> {
  try {
    await getManageableFolder(db, caller, folder.id)
    return true
  } catch (error) {
    if (error instanceof ForbiddenError) return false
    throw error
  }
}

/**
 * Refuses what concerns a folder with all below it, if the reader may not change all of that.
 * @throws ForbiddenError
 */
export async function requireWholeFolder(db: Db, reader: FolderReader, folder: WritableFolder): Promise<void> {
  if (!(await allowsWhole(db, await findRights(db, reader), folder, 'write')))
    throw new ForbiddenError('This knowledge base holds others that you have no right to change')
}

/**
 * A folder that the reader may read: one of the organization's own, or one that lies in what is shared with it.
 * `organization_id` says whose it is; what is in it must be asked for by that. @throws FolderNotFoundError
 */
export async function getReadableFolder(db: Db, reader: FolderReader, folderId: string): Promise<ReadableFolder> {
  const folder = isId(folderId) ? await findReadable(db, reader, folderId) : undefined
  if (!folder) throw new FolderNotFoundError()
  return grant(folder)
}

async function findReadable(db: Db, reader: FolderReader, folderId: string): Promise<Folder | undefined> {
  const { organizationId } = reader
  const folder =
    (await findFolder(db, organizationId, folderId)) ?? (await findSharedFolders(db, organizationId, [folderId]))[0]
  const rights = folder && (await findRights(db, reader))
  if (!rights) return folder
  if (!isReadable(await findLevel(db, rights, folder))) return undefined
  const { parentId, organizationId: owner } = folder
  const isOpening =
    parentId !== null && !isReadable(await findLevel(db, rights, { id: parentId, organizationId: owner }))
  return isOpening ? { ...folder, parentId: null } : folder
}

/**
 * A readable folder that the scopes of the caller's key reach: for a bound key, one of its folders or one below them.
 * @throws FolderNotFoundError
 */
export async function getFolderInScope(db: Db, caller: Caller, folderId: string): Promise<ReadableFolder> {
  const { scopes } = caller
  if (scopes && isBound(scopes) && !(await isReadableBelow(db, caller, folderId, scopes.knowledge_base_ids ?? [])))
    throw new FolderNotFoundError()
  return getReadableFolder(db, caller, folderId)
}

/** Walk of all that the reader may read in a folder, itself included. */
export async function findReadableWalk(db: Db, reader: FolderReader, folder: ReadableFolder): Promise<ReadableWalk> {
  return readableWalk(db, folder.organizationId, await findRights(db, reader), [folder.id])
}

/** Folders directly inside one, by name, that the reader may read. */
export async function listReadableIn(db: Db, reader: FolderReader, parent: ReadableFolder): Promise<Folder[]> {
  const children = await listFolders(db, parent.organizationId, parent.id)
  const rights = await findRights(db, reader)
  return rights ? readableAmong(rights, children, await findLevel(db, rights, parent)) : children
}

/** The organization's own folders that are at the root for the reader, by name. */
export async function listReadableRoots(db: Db, reader: FolderReader): Promise<Folder[]> {
  const { organizationId } = reader
  const roots = await listFolders(db, organizationId, null)
  const rights = await findRights(db, reader)
  if (!rights) return roots
  const folders = [
    ...readableAmong(rights, roots, rights.otherwise),
    ...(await findOpenings(db, organizationId, rights)),
  ]
  return folders.sort(byName)
}

/**
 * Ids of the live folders among the roots and, by default, of all below them that the reader may read, by the
 * organization that owns them. What is its own comes first; a tree that is empty is left out.
 */
export async function readableFolderTree(
  db: Db,
  reader: FolderReader,
  rootFolderIds: string[],
  { recursive = true }: { recursive?: boolean } = {},
): Promise<FolderTree[]> {
  const { organizationId } = reader
  const rights = await findRights(db, reader)
  const findTrees = async (owner: string, ids: string[]): Promise<FolderTree[]> => {
    const { roots, stops } = await readableWalk(db, owner, rights, ids, { recursive })
    const folderIds = await liveFolderTree(db, owner, roots, { recursive, stops })
    if (folderIds.length === 0) return []
    return [{ organizationId: owner, folderIds, roots, stops, rights: await findFileRights(db, reader, owner) }]
  }
  const trees = await findTrees(organizationId, rootFolderIds)
  const isOwn = new Set(trees.flatMap(({ folderIds }) => folderIds))
  const others = rootFolderIds.filter((id) => !isOwn.has(id))
  if (others.length === 0) return trees
  const shared = await findSharedFolders(db, organizationId, others)
  for (const [owner, folders] of Map.groupBy(shared, (folder) => folder.organizationId))
    trees.push(
      ...(await findTrees(
        owner,
        folders.map((folder) => folder.id),
      )),
    )
  return trees
}

/** The organization, and those that share some of these folders with it. */
export async function listOwners(db: Db, { organizationId }: FolderReader, folderIds: string[]): Promise<string[]> {
  const shared = await findSharedFolders(db, organizationId, folderIds)
  return [...new Set([organizationId, ...shared.map((folder) => folder.organizationId)])]
}

/** Ids among those of some folders that are there and that the reader may read. */
export async function findReadableIds(db: Db, reader: FolderReader, folderIds: string[]): Promise<Set<string>> {
  const trees = await readableFolderTree(db, reader, folderIds, { recursive: false })
  return new Set(trees.flatMap((tree) => tree.folderIds))
}

/** Place of the files of a folder, with what of them the reader may read. */
export const filesOf = async (
  db: Db,
  reader: FolderReader,
  { id, organizationId }: ReadableFolder,
): Promise<FilesAt> => ({
  organizationId,
  folderId: id,
  rights: await findFileRights(db, reader, organizationId),
})

/** @throws FolderNotFoundError for a folder that the reader may not read */
export async function requireReadableFolders(db: Db, reader: FolderReader, folderIds: string[]): Promise<void> {
  const readable = await findReadableIds(db, reader, folderIds)
  if (folderIds.some((id) => !readable.has(id))) throw new FolderNotFoundError()
}

/** Folders among some that are there and that the reader may read, by name. */
export async function findReadableFolders(db: Db, reader: FolderReader, folderIds: string[]): Promise<Folder[]> {
  const trees = await readableFolderTree(db, reader, folderIds, { recursive: false })
  const lists = await Promise.all(trees.map((tree) => findFolders(db, tree.organizationId, tree.folderIds)))
  return lists.flat().sort(byName)
}

/** Whether a folder is one of the roots or lies below one, and the reader may read it. */
export async function isReadableBelow(
  db: Db,
  reader: FolderReader,
  folderId: string,
  rootFolderIds: string[],
): Promise<boolean> {
  const folder = isId(folderId) ? await findReadable(db, reader, folderId) : undefined
  if (!folder) return false
  const above = await parentsAbove(db, folder.organizationId, [folder.id])
  return rootFolderIds.some((id) => above.has(id))
}

export interface FolderTree extends ReadableWalk {
  /** Organization that the folders belong to. */
  organizationId: string
  folderIds: string[]
  /** Rights of the reader to the files in them. */
  rights: FileRights | undefined
}

/** Roots of what other organizations share with this one, by name, that the reader may read. */
export async function listSharedRoots(db: Db, reader: FolderReader): Promise<Folder[]> {
  const { organizationId } = reader
  const named = await listReceivedFolders(db, organizationId)
  const folders = await hideParentsOfShare(db, organizationId, named)
  const rights = await findRights(db, reader)
  return readableAmong(
    rights,
    folders.filter((folder) => folder.parentId === null),
    rights?.otherwise,
  )
}

async function findSharedFolders(db: Db, organizationId: string, folderIds: string[]): Promise<Folder[]> {
  return hideParentsOfShare(db, organizationId, await findFoldersOfSharers(db, organizationId, folderIds))
}

/** Folders that are in a share, in their order; the outermost one that is shared has no parent for the recipient. */
async function hideParentsOfShare(db: Db, organizationId: string, folders: Folder[]): Promise<Folder[]> {
  const sharedIn = new Map<string, string[]>()
  for (const [owner, owned] of Map.groupBy(folders, (folder) => folder.organizationId)) {
    const ids = owned.map((folder) => folder.id)
    for (const { folderId, sharedId } of await findSharedAncestors(db, owner, organizationId, ids)) {
      sharedIn.set(folderId, [...(sharedIn.get(folderId) ?? []), sharedId])
    }
  }
  return folders.flatMap((folder) => {
    const shared = sharedIn.get(folder.id)
    if (!shared) return []
    const isOutermost = shared.every((id) => id === folder.id)
    return [isOutermost ? { ...folder, parentId: null } : folder]
  })
}

const byName = (a: Folder, b: Folder): number =>
  a.nameKey < b.nameKey ? -1 : a.nameKey > b.nameKey ? 1 : a.id < b.id ? -1 : 1
