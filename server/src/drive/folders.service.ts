import type { Db, Tx, Writes } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { commitChecked } from '../platform/database/commit-checked.ts'
import { isUniqueViolation } from '../platform/database/sqlite.ts'
import { ValidationError } from '../platform/errors.ts'
import { isId, type NewId } from '../platform/ids.ts'
import { foldCase } from '../platform/text.ts'
import type { Queue } from '../queue/queue.ts'
import { FolderLinkedError, FolderNameConflictError, FolderNotFoundError } from './drive.errors.ts'
import { DEEPEST_FOLDER, folderDepth, liveFolderTree, wholeTree } from './folder-tree.ts'
import type { CreateFolder, UpdateFolder } from './folders.schemas.ts'
import {
  countChildren,
  type Folder,
  findFolder,
  findFolderNamed,
  insertFolder,
  listFolders,
  markTreeDeleted,
  updateFolder,
} from './folders.store.ts'

export type FolderService = ReturnType<typeof createFolderService>

export interface FolderServiceOptions {
  db: Db
  writes: Writes
  queue: Queue
  newId: NewId
  clock: Clock
}

/** @throws FolderNotFoundError if it is absent, deleted or of another organization, or the id is none. */
export async function getFolder(db: Db, organizationId: string, folderId: string): Promise<Folder> {
  const folder = isId(folderId) ? await findFolder(db, organizationId, folderId) : undefined
  if (!folder) throw new FolderNotFoundError()
  return folder
}

export function createFolderService({ db, writes, queue, newId, clock }: FolderServiceOptions) {
  /**
   * Makes a folder at the root or in a parent.
   * @throws FolderNotFoundError if the parent is none, FolderNameConflictError, ValidationError below 32 levels.
   */
  async function create(organizationId: string, wanted: CreateFolder): Promise<Folder> {
    const { knowledge_base_name: name, user_defined_tags: tags, parent_kb_id: parentId = null } = wanted
    const now = isoNow(clock)
    const folder: Folder = {
      id: newId(),
      organization_id: organizationId,
      parent_id: parentId,
      name,
      name_key: foldCase(name),
      tags: JSON.stringify(tags),
      integration_id: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }
    await commit(name, async (tx) => {
      if (parentId !== null) await getFolder(tx, organizationId, parentId)
      await requireDepth(tx, organizationId, parentId, 1)
      await requireFreeName(tx, organizationId, folder)
      await insertFolder(tx, organizationId, folder)
    })
    return folder
  }

  /** The folders of one location, by name. @throws FolderNotFoundError if the parent is none. */
  async function list(organizationId: string, parentId: string | null): Promise<Folder[]> {
    if (parentId !== null) await getFolder(db, organizationId, parentId)
    return listFolders(db, organizationId, parentId)
  }

  /**
   * Renames, tags or moves a folder; what is absent stays.
   * @throws FolderNotFoundError for the folder or the new parent, FolderLinkedError, FolderNameConflictError,
   * ValidationError when it would come to lie in itself or below 32 levels.
   */
  async function update(organizationId: string, folderId: string, changes: UpdateFolder): Promise<Folder> {
    return commit(changes.knowledge_base_name, async (tx) => {
      const folder = await getFolder(tx, organizationId, folderId)
      const parentId = changes.parent_kb_id === undefined ? folder.parent_id : changes.parent_kb_id
      const isMove = parentId !== folder.parent_id
      if (isMove && parentId !== null) await getFolder(tx, organizationId, parentId)
      if (folder.integration_id) throw new FolderLinkedError()
      if (isMove) await requireMovable(tx, organizationId, folder.id, parentId)

      const name = changes.knowledge_base_name ?? folder.name
      const changed: Folder = {
        ...folder,
        name,
        name_key: foldCase(name),
        parent_id: parentId,
        tags: changes.user_defined_tags ? JSON.stringify(changes.user_defined_tags) : folder.tags,
        updated_at: isoNow(clock),
      }
      await requireFreeName(tx, organizationId, changed)
      const { name_key, parent_id, tags, updated_at } = changed
      await updateFolder(tx, organizationId, folder.id, { name, name_key, parent_id, tags, updated_at })
      return changed
    })
  }

  /** The folder is gone for everyone when this resolves; rows, passages and bytes follow in the background. */
  async function remove(organizationId: string, folderId: string): Promise<Folder> {
    return commit(undefined, async (tx) => {
      const folder = await getFolder(tx, organizationId, folderId)
      await markTreeDeleted(tx, organizationId, folder.id, isoNow(clock))
      await queue.enqueue(tx, organizationId, 'drive.purge-folder', { folderId: folder.id })
      return folder
    })
  }

  /** A name that another process took since it was checked is a conflict too. */
  const commit = <R>(name: string | undefined, write: (tx: Tx) => Promise<R>): Promise<R> =>
    commitChecked(writes, write).catch((error) => {
      throw isUniqueViolation(error) ? new FolderNameConflictError(name ?? '') : error
    })

  return {
    create,
    list,
    update,
    remove,
    get: (organizationId: string, folderId: string) => getFolder(db, organizationId, folderId),
    countChildren: (organizationId: string, folderId: string) => countChildren(db, organizationId, folderId),
  }
}

async function requireFreeName(tx: Tx, organizationId: string, folder: Folder): Promise<void> {
  const location = { parentId: folder.parent_id, nameKey: folder.name_key }
  const other = await findFolderNamed(tx, organizationId, location)
  if (other && other.id !== folder.id) throw new FolderNameConflictError(folder.name)
}

async function requireDepth(tx: Tx, organizationId: string, parentId: string | null, levels: number): Promise<void> {
  if ((await folderDepth(tx, organizationId, parentId)) + levels > DEEPEST_FOLDER) {
    const message = `knowledge bases nest at most ${DEEPEST_FOLDER} levels deep`
    throw new ValidationError(`parent_kb_id: ${message}`, [{ path: 'parent_kb_id', message }])
  }
}

async function requireMovable(tx: Tx, organizationId: string, folderId: string, parentId: string | null) {
  if (parentId === null) return
  if ((await liveFolderTree(tx, organizationId, [folderId])).includes(parentId)) {
    const message = 'a knowledge base cannot be moved into itself or into one of its sub-folders'
    throw new ValidationError(`parent_kb_id: ${message}`, [{ path: 'parent_kb_id', message }])
  }
  const levels = (await wholeTree(tx, organizationId, folderId)).at(-1)!.level + 1
  await requireDepth(tx, organizationId, parentId, levels)
}
