import { isDeepStrictEqual } from 'node:util'
import { type FolderReader, noteNarrowedByMove, raiseFolderRights } from '../../access/access.ts'
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import type { Tx, Writes } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { isUniqueViolation } from '../../platform/database/errors.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { foldCase } from '../../platform/text/text.ts'
import { FolderLinkedError, FolderNameConflictError } from '../drive.errors.ts'
import { findFileRights } from '../files/readers/file-rights.ts'
import { DEEPEST_FOLDER, liveFolderTree, wholeTree } from './folder-tree.ts'
import {
  getFolder,
  getReadableFolder,
  listReadableIn,
  listReadableRoots,
  listSharedRoots,
  type ReadableFolder,
  requireWholeFolder,
} from './folders.access.ts'
import type { CreateFolder, ListFoldersQuery, UpdateFolder } from './folders.schemas.ts'
import {
  countChildren,
  countFoldersIn,
  type Folder,
  findFolder,
  findFolderNamed,
  insertFolder,
  markTreeDeleted,
  updateFolder,
} from './folders.store.ts'
import { folderDepth, foldersAbove } from './folders-above.ts'
import { findRights, isReadable } from './reader-rights.ts'

export type FolderServiceOptions = Pick<KernelParts, 'clock' | 'db' | 'newId' | 'queue' | 'writes'>

/** Person who changes folders, with their rights; the change is recorded. */
export type FolderActor = Actor & FolderReader

export class FolderService {
  readonly #options: FolderServiceOptions

  constructor(options: FolderServiceOptions) {
    this.#options = options
  }

  /**
   * Makes a folder at the root or in a parent.
   * @throws FolderNotFoundError if the parent is none, ForbiddenError if it is only shared, FolderLinkedError,
   * FolderNameConflictError, ValidationError below 32 levels.
   */
  create(actor: FolderActor, wanted: CreateFolder): Promise<Folder> {
    return this.#commit(actor, wanted.knowledge_base_name, (tx) => this.createFor(tx, actor, wanted))
  }

  /** `create` in a transaction of the caller's, which `commitNamed` commits. */
  async createFor(tx: Tx, actor: FolderActor, wanted: CreateFolder): Promise<Folder> {
    const folder = await this.createIn(tx, actor, wanted, { id: this.#options.newId() })
    await this.#record(tx, actor, 'knowledge_base.created', folder, { parent_kb_id: folder.parentId })
    return folder
  }

  /** Creates a folder in a transaction of the caller's, linked to an integration if one is given. */
  async createIn(
    tx: Tx,
    actor: FolderActor,
    wanted: CreateFolder,
    { id, integrationId = null }: { id: string; integrationId?: string | null },
  ): Promise<Folder> {
    const { organizationId } = actor
    const { knowledge_base_name: name, user_defined_tags: tags, parent_kb_id: parentId = null } = wanted
    const now = isoNow(this.#options.clock)
    const folder: Folder = {
      id,
      organizationId,
      parentId,
      name,
      nameKey: foldCase(name),
      tags,
      integrationId,
      sourceKey: null,
      createdAt: now,
      updatedAt: now,
    }
    const parent = parentId === null ? null : await getFolder(tx, actor, parentId)
    if (parent?.integrationId) throw new FolderLinkedError()
    await requireDepth(tx, organizationId, parentId, 1)
    await requireFreeName(tx, organizationId, folder)
    await insertFolder(tx, organizationId, folder)
    return folder
  }

  /**
   * The folders of one location that the reader may read, by name: the organization's own, and those that are shared
   * with it. Below what they may not read, what they may is at the root.
   * @throws FolderNotFoundError if they may not read the parent.
   */
  async list(
    reader: FolderReader,
    { scope, parent_kb_id: parentId }: Omit<ListFoldersQuery, 'include_counts'>,
    within?: string[],
  ) {
    const { db } = this.#options
    if (within && parentId === undefined) return this.#listBound(reader, within, scope)
    const parent = parentId === undefined ? undefined : await getReadableFolder(db, reader, parentId)
    if (!parent)
      return {
        own: scope === 'shared' ? [] : await listReadableRoots(db, reader),
        shared: scope === 'org' ? [] : await listSharedRoots(db, reader),
      }
    const isOwn = parent.organizationId === reader.organizationId
    const folders = scope === (isOwn ? 'shared' : 'org') ? [] : await listReadableIn(db, reader, parent)
    return isOwn ? { own: folders, shared: [] } : { own: [], shared: folders }
  }

  /**
   * Renames, tags or moves a folder; what is absent stays.
   * @throws FolderNotFoundError for the folder or the new parent, FolderLinkedError, FolderNameConflictError,
   * ValidationError when it would come to lie in itself or below 32 levels.
   */
  async update(actor: FolderActor, folderId: string, changes: UpdateFolder): Promise<Folder> {
    const { organizationId } = actor
    return this.#commit(actor, changes.knowledge_base_name, async (tx) => {
      const folder = await getFolder(tx, actor, folderId)
      const parentId = changes.parent_kb_id === undefined ? folder.parentId : changes.parent_kb_id
      const isMove = parentId !== folder.parentId
      const parent = isMove && parentId !== null ? await getFolder(tx, actor, parentId) : null
      if (isMove) await requireWholeFolder(tx, actor, folder)
      if (folder.integrationId || parent?.integrationId) throw new FolderLinkedError()
      if (isMove) await requireMovable(tx, organizationId, folder.id, parentId)

      const name = changes.knowledge_base_name ?? folder.name
      const changed: Folder = {
        ...folder,
        name,
        nameKey: foldCase(name),
        parentId,
        tags: changes.user_defined_tags ?? folder.tags,
        updatedAt: isoNow(this.#options.clock),
      }
      await requireFreeName(tx, organizationId, changed)
      const { nameKey, tags, updatedAt } = changed
      const from = isMove ? await foldersAbove(tx, organizationId, folder.id) : []
      await updateFolder(tx, organizationId, folder.id, { name, nameKey, parentId, tags, updatedAt })
      if (isMove) {
        const to = await foldersAbove(tx, organizationId, folder.id)
        await noteNarrowedByMove(tx, organizationId, { from, to }, updatedAt)
        await raiseFolderRights(tx, organizationId)
      }
      const fields = changedFields(folder, changed)
      if (fields.length > 0) await this.#record(tx, actor, 'knowledge_base.updated', changed, { changed: fields })
      return changed
    })
  }

  /**
   * The folder is gone for everyone when this resolves; rows, passages and bytes follow in the background. An
   * integration goes with the folder that it fills.
   * @throws FolderNotFoundError, ForbiddenError, FolderLinkedError for a sub-folder that an integration made: it would
   * come back.
   */
  async remove(actor: FolderActor, folderId: string): Promise<Folder> {
    return this.#commit(actor, undefined, (tx) => this.removeFor(tx, actor, folderId))
  }

  /** `remove` in a transaction of the caller's. */
  async removeFor(tx: Tx, actor: FolderActor, folderId: string): Promise<Folder> {
    const { organizationId } = actor
    const folder = await getFolder(tx, actor, folderId)
    await requireWholeFolder(tx, actor, folder)
    const parent = folder.parentId === null ? undefined : await findFolder(tx, organizationId, folder.parentId)
    if (folder.integrationId && parent?.integrationId === folder.integrationId) throw new FolderLinkedError()
    await this.removeIn(tx, organizationId, folder.id)
    await this.#record(tx, actor, 'knowledge_base.deleted', folder)
    return folder
  }

  /** Removes a folder in a transaction of the caller's, without a check. */
  async removeIn(tx: Tx, organizationId: string, folderId: string): Promise<void> {
    const { clock, queue } = this.#options
    await markTreeDeleted(tx, organizationId, folderId, isoNow(clock))
    await queue.enqueue(tx, organizationId, 'drive.purge-folder', { folderId })
  }

  get(reader: FolderReader, folderId: string) {
    return getReadableFolder(this.#options.db, reader, folderId)
  }

  /** Counts what is directly inside a folder and may be read. */
  async countChildren(reader: FolderReader, { organizationId, id }: ReadableFolder) {
    const { db } = this.#options
    const rights = await findFileRights(db, reader, organizationId)
    return countChildren(db, organizationId, id, { hidden: await this.#hiddenFrom(reader), rights })
  }

  /** Counts the folders directly inside each of these that may be read; one that has none is left out. */
  async countFoldersIn(reader: FolderReader, folders: readonly Folder[]): Promise<Map<string, number>> {
    const hidden = await this.#hiddenFrom(reader)
    const counts = new Map<string, number>()
    for (const [owner, owned] of Map.groupBy(folders, (folder) => folder.organizationId)) {
      const ids = owned.map(({ id }) => id)
      for (const [id, count] of await countFoldersIn(this.#options.db, owner, ids, hidden)) counts.set(id, count)
    }
    return counts
  }

  /** Folders that an entry hides from the reader. */
  async #hiddenFrom(reader: FolderReader): Promise<string[]> {
    const rights = await findRights(this.#options.db, reader)
    return rights ? [...rights.entries].filter(([, level]) => !isReadable(level)).map(([id]) => id) : []
  }

  /** Folders that a bound key sees in the place of the root: those it is bound to. */
  async #listBound(reader: FolderReader, folderIds: string[], scope: ListFoldersQuery['scope']) {
    const found: Folder[] = []
    for (const id of folderIds) {
      const folder = await getReadableFolder(this.#options.db, reader, id).catch(() => undefined)
      if (folder) found.push(folder)
    }
    const isOwn = (folder: Folder) => folder.organizationId === reader.organizationId
    return {
      own: scope === 'shared' ? [] : found.filter(isOwn),
      shared: scope === 'org' ? [] : found.filter((folder) => !isOwn(folder)),
    }
  }

  #record(
    tx: Tx,
    actor: Actor,
    action: 'knowledge_base.created' | 'knowledge_base.updated' | 'knowledge_base.deleted',
    { id, name }: Folder,
    details?: Record<string, unknown>,
  ): Promise<void> {
    const target = { type: 'knowledge_base', id, name } as const
    return recordAudit(tx, actor, { action, at: isoNow(this.#options.clock), target, details, workspaceId: null })
  }

  #commit<R>(actor: Actor, name: string | undefined, write: (tx: Tx) => Promise<R>): Promise<R> {
    return commitNamed(this.#options.writes, actor.organizationId, name, write)
  }
}

/**
 * Commits a write to an organization's folders, one at a time, so that the tree stays as it was checked. A name that is
 * taken all the same is a conflict, too.
 */
export const commitNamed = <R>(
  writes: Writes,
  organizationId: string,
  name: string | undefined,
  write: (tx: Tx) => Promise<R>,
): Promise<R> =>
  commitChecked(writes, async (tx) => {
    await takeAdvisoryLock(tx, 'folders', organizationId)
    return write(tx)
  }).catch((error) => {
    throw isUniqueViolation(error) ? new FolderNameConflictError(name ?? '') : error
  })

const MOST_IN_NAME = 256

/** The names, on the wire, of what differs. */
const changedFields = (before: Folder, after: Folder): string[] => [
  ...(before.name === after.name ? [] : ['knowledge_base_name']),
  ...(before.parentId === after.parentId ? [] : ['parent_kb_id']),
  ...(isDeepStrictEqual(before.tags, after.tags) ? [] : ['user_defined_tags']),
]

/** A name for a folder at the root: the one that is wanted, or with the first number that makes it free. */
export async function findFreeName(tx: Tx, organizationId: string, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${number}`
    const name = `${wanted.slice(0, MOST_IN_NAME - end.length)}${end}`
    if (!(await findFolderNamed(tx, organizationId, { parentId: null, nameKey: foldCase(name) }))) return name
  }
}

async function requireFreeName(tx: Tx, organizationId: string, folder: Folder): Promise<void> {
  const location = { parentId: folder.parentId, nameKey: folder.nameKey }
  const other = await findFolderNamed(tx, organizationId, location)
  if (other && other.id !== folder.id) throw new FolderNameConflictError(folder.name)
}

async function requireDepth(tx: Tx, organizationId: string, parentId: string | null, levels: number): Promise<void> {
  if ((await folderDepth(tx, organizationId, parentId)) + levels > DEEPEST_FOLDER) {
    const message = `knowledge bases nest at most ${DEEPEST_FOLDER} levels deep`
    throw invalidField('parent_kb_id', message)
  }
}

async function requireMovable(tx: Tx, organizationId: string, folderId: string, parentId: string | null) {
  if (parentId === null) return
  if ((await liveFolderTree(tx, organizationId, [folderId])).includes(parentId)) {
    const message = 'a knowledge base cannot be moved into itself or into one of its sub-folders'
    throw invalidField('parent_kb_id', message)
  }
  const levels = (await wholeTree(tx, organizationId, folderId)).at(-1)!.level + 1
  await requireDepth(tx, organizationId, parentId, levels)
}
