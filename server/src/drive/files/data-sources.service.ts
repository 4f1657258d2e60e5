import { type FolderReader, noteNarrowedByMove, raiseFolderRights } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { shareAdvisoryLock, takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import { foldCase } from '../../platform/text/text.ts'
import { setUnpacking } from '../archives/unpacking.store.ts'
import {
  DataSourceNotFoundError,
  ExternalIdTakenError,
  FolderLinkedError,
  NoDownloadableDataSourcesError,
} from '../drive.errors.ts'
import { noteEvents, noteMoved, noteStage, placeOf } from '../events/note-events.ts'
import {
  filesOf,
  findReadableWalk,
  getFolder,
  getReadableFolder,
  type WritableFolder,
} from '../folders/folders.access.ts'
import { foldersAbove } from '../folders/folders-above.ts'
import { listSharers } from '../shares/received-shares.store.ts'
import { getUploads, type Upload, type UploadUser } from '../uploads/uploads.service.ts'
import { listContents } from './data-sources.list.ts'
import { removeFiles } from './data-sources.removal.ts'
import type { AddDocument, ChangeMetadata, ListDataSourcesQuery, UpdateDataSource } from './data-sources.schemas.ts'
import {
  type DataSource,
  type FilesAt,
  findDataSources,
  holdDataSources,
  insertDataSource,
  updateDataSource,
} from './data-sources.store.ts'
import {
  enqueueIndexing,
  enqueueNewTitle,
  findLiveDataSource,
  isAtRest,
  serveAgain,
} from './indexing/data-sources.indexing.ts'
import { failedAt, queuedColumns, stillFoundNote } from './indexing/indexing-progress.ts'
import { publishStopped } from './indexing/indexing-stopped.ts'
import { FileMetadata } from './metadata/metadata.schemas.ts'
import { setMetadata } from './metadata/metadata.store.ts'
import { findExternalId, findPushed } from './pushed/pushed-files.store.ts'
import { findFileRights } from './readers/file-rights.ts'
import { listHiddenFiles } from './readers/hidden-files.ts'
import { contentOf, keepServedVersion, type StoredContent } from './stored-content.ts'

export type DataSourceServiceOptions = Pick<KernelParts, 'clock' | 'db' | 'newId' | 'pubsub' | 'queue' | 'writes'>

export class DataSourceService {
  readonly #options: DataSourceServiceOptions

  constructor(options: DataSourceServiceOptions) {
    this.#options = options
  }

  /**
   * Puts an uploaded file that the user may use into a folder and, by default, asks for it to be indexed.
   * @throws FolderNotFoundError, FileNotFoundError, FolderLinkedError
   */
  async add(user: UploadUser, folderId: string, wanted: AddDocument): Promise<DataSource> {
    const { clock, newId } = this.#options
    const { organizationId } = user
    return this.#commitFile(organizationId, async (tx) => {
      const folder = await getFolder(tx, user, folderId)
      const now = isoNow(clock)
      const [upload] = await getUploads(tx, user, [wanted.file_id], now)
      if (folder.integrationId) throw new FolderLinkedError()
      if (wanted.unpack && upload!.mediaType !== 'application/zip')
        throw invalidField('unpack', 'is for ZIP archives: leave it out to add the file as it is')
      const asked = newFile(upload!, folder, { id: newId(), title: wanted.data_source_title, now })
      const note = { contentOrigin: 'upload', contentKeyId: user.keyId } as const
      const file = wanted.trigger_indexing ? asked : { ...asked, indexing: null }
      await insertDataSource(tx, organizationId, { ...file, ...note })
      await noteEvents(tx, this.#options, organizationId, { at: now, events: [{ type: 'created', ...placeOf(file) }] })
      if (wanted.metadata) await setMetadata(tx, organizationId, file.id, wanted.metadata)
      if (wanted.unpack) await setUnpacking(tx, organizationId, file.id)
      if (wanted.trigger_indexing) await enqueueIndexing(tx, this.#options.queue, file)
      return { ...file, metadata: JSON.stringify(wanted.metadata ?? {}) }
    })
  }

  /** One page of a folder's files, or of all files and folders below it. @throws FolderNotFoundError */
  async list(reader: FolderReader, folderId: string, query: ListDataSourcesQuery) {
    const { db } = this.#options
    const folder = await getReadableFolder(db, reader, folderId)
    const owner = folder.organizationId
    const page = await listContents(db, owner, {
      folderId: folder.id,
      walk: query.recursive ? await findReadableWalk(db, reader, folder) : undefined,
      recursive: query.recursive,
      search: query.search_str,
      filter: query.filters,
      rights: await findFileRights(db, reader, owner),
      limit: query.page_size,
      offset: query.page * query.page_size,
      orderBy: query.order_by,
      order: query.order ?? (query.order_by === 'title' ? 'asc' : 'desc'),
    })
    const items = page.items.map((item) =>
      item.kind === 'file' ? { ...item, file: hideForeignUploader(reader, item.file) } : item,
    )
    return { ...page, items, folder, foldersQueried: page.folders }
  }

  /** @throws FolderNotFoundError, DataSourceNotFoundError */
  async get(reader: FolderReader, folderId: string, id: string): Promise<DataSource> {
    const { db } = this.#options
    const folder = await getReadableFolder(db, reader, folderId)
    const [file] = await chosen(db, await filesOf(db, reader, folder), [id])
    if (!file) throw new DataSourceNotFoundError()
    return hideForeignUploader(reader, file)
  }

  /** A file by its id alone, wherever it is that the reader may read. @throws DataSourceNotFoundError */
  async locate(reader: FolderReader, id: string): Promise<DataSource> {
    const { db } = this.#options
    if (!isId(id)) throw new DataSourceNotFoundError()
    const file = (await findLiveDataSource(db, reader.organizationId, id)) ?? (await this.#findAmongSharers(reader, id))
    if (!file) throw new DataSourceNotFoundError()
    const folder = await getReadableFolder(db, reader, file.folderId).catch(() => {
      throw new DataSourceNotFoundError()
    })
    if ((await listHiddenFiles(db, reader, folder.organizationId, [id])).has(id)) throw new DataSourceNotFoundError()
    return hideForeignUploader(reader, file)
  }

  /** A file of any organization that shares something with the reader's. */
  async #findAmongSharers({ organizationId }: FolderReader, id: string): Promise<DataSource | undefined> {
    const { db } = this.#options
    for (const owner of await listSharers(db, organizationId)) {
      const file = await findLiveDataSource(db, owner, id)
      if (file) return file
    }
    return undefined
  }

  /**
   * Renames a file or moves it to another folder; searches find it in the new one as soon as this resolves, and by its
   * new title soon after.
   * @throws FolderNotFoundError for either folder, DataSourceNotFoundError, FolderLinkedError
   */
  async update(actor: FolderReader, folderId: string, id: string, changes: UpdateDataSource): Promise<DataSource> {
    const { organizationId } = actor
    const { clock, queue } = this.#options
    return this.#commitFile(organizationId, async (tx) => {
      const folder = await getFolder(tx, actor, folderId)
      const [file] = await chosenToChange(tx, await filesOf(tx, actor, folder), [id])
      if (!file) throw new DataSourceNotFoundError()
      const target =
        changes.knowledge_base_id === undefined ? folder : await getFolder(tx, actor, changes.knowledge_base_id)
      const isMove = target.id !== folder.id
      const { data_source_title: newTitle, knowledge_base_id: newFolderId } = changes
      // The source of a linked folder names and places its files; what is known of them may still be set.
      const isMetadataOnly = changes.metadata && newTitle === undefined && newFolderId === undefined
      if (!isMetadataOnly && (folder.integrationId || target.integrationId)) throw new FolderLinkedError()
      if (isMove) await requireFreeId(tx, file, target.id)
      const title = newTitle ?? file.title
      const changed = { title, titleKey: foldCase(title), folderId: target.id, updatedAt: isoNow(clock) }
      await updateDataSource(tx, organizationId, file.id, changed)
      const metadata = changes.metadata ? JSON.stringify(changes.metadata) : file.metadata
      if (changes.metadata) await setMetadata(tx, organizationId, file.id, changes.metadata)
      if (isMove) {
        await queue.enqueue(tx, organizationId, 'retrieval.move', { dataSourceId: file.id })
        await noteMove(tx, organizationId, { from: folder.id, to: target.id, at: changed.updatedAt })
        await noteMoved(tx, this.#options, organizationId, { file, to: target.id, at: changed.updatedAt })
      }
      // A file that is being indexed is looked at again when that ends.
      const isRenamed = title !== file.title && isAtRest(file)
      const generation = isRenamed ? await enqueueNewTitle(tx, queue, file) : file.indexGeneration
      return { ...file, ...changed, metadata, indexGeneration: generation }
    })
  }

  /**
   * Changes what is known of files, key by key; ids that are not in the folder are skipped.
   * @returns how many there were
   * @throws ValidationError when a file would have more than metadata may hold: none is changed then
   */
  async changeMetadata(actor: FolderReader, folderId: string, change: ChangeMetadata): Promise<number> {
    const { organizationId } = actor
    return this.#commitFile(organizationId, async (tx) => {
      const folder = await getFolder(tx, actor, folderId)
      const files = await chosenToChange(tx, await filesOf(tx, actor, folder), change.data_source_ids)
      for (const file of files) {
        const known = Object.entries(JSON.parse(file.metadata) as FileMetadata)
        const kept = known.filter(([key]) => !change.remove.includes(key))
        const read = FileMetadata.safeParse({ ...Object.fromEntries(kept), ...change.set })
        if (!read.success)
          throw invalidField('set', `is too much for the file ${file.id}: ${read.error.issues[0]!.message}`)
        await setMetadata(tx, organizationId, file.id, read.data)
        await updateDataSource(tx, organizationId, file.id, { updatedAt: isoNow(this.#options.clock) })
      }
      return files.length
    })
  }

  /** Asks for files to be indexed, again if they were before; ids that are not in the folder are skipped. */
  async index(actor: FolderReader, folderId: string, ids: string[]): Promise<DataSource[]> {
    const { organizationId } = actor
    return this.#commitFile(organizationId, async (tx) => {
      const asked: DataSource[] = []
      const folder = await getFolder(tx, actor, folderId)
      for (const file of await chosenToChange(tx, await filesOf(tx, actor, folder), ids)) {
        const changes = {
          ...queuedColumns(),
          ...keepServedVersion(file),
          indexGeneration: file.indexGeneration + 1,
          updatedAt: isoNow(this.#options.clock),
        }
        await updateDataSource(tx, organizationId, file.id, changes)
        asked.push({ ...file, ...changes })
        await enqueueIndexing(tx, this.#options.queue, asked.at(-1)!)
        await noteStage(this.#options.pubsub, tx, { organizationId, ...placeOf(file) })
      }
      return asked
    })
  }

  /**
   * Ends the indexing of files that wait for it or are at it, in whatever process; other ids are skipped. A file that is
   * cancelled has failed, and can be indexed again.
   */
  async cancelIndexing(actor: FolderReader, folderId: string, ids: string[]): Promise<DataSource[]> {
    const { organizationId } = actor
    return this.#commitFile(organizationId, async (tx) => {
      const cancelled: DataSource[] = []
      const folder = await getFolder(tx, actor, folderId)
      for (const file of await chosenToChange(tx, await filesOf(tx, actor, folder), ids)) {
        if (file.indexing === null || !/^(pending|indexing)$/.test(file.status)) continue
        const changes = {
          status: 'failed' as const,
          statusReason: `Its indexing was cancelled. Index it again when it is to be found.${stillFoundNote(file)}`,
          indexing: failedAt(file, 'CANCELLED'),
          indexGeneration: file.indexGeneration + 1,
          updatedAt: isoNow(this.#options.clock),
        }
        await updateDataSource(tx, organizationId, file.id, changes)
        cancelled.push({ ...file, ...changes })
        await serveAgain(tx, this.#options.queue, cancelled.at(-1)!)
      }
      const stopped = cancelled.map(({ id }) => id)
      const events = cancelled.map((file) => ({ type: 'failed' as const, ...placeOf(file) }))
      await noteEvents(tx, this.#options, organizationId, { at: isoNow(this.#options.clock), events })
      await publishStopped(this.#options.pubsub, tx, stopped)
      return cancelled
    })
  }

  /** Deletes files; ids that are not in the folder are skipped. @returns how many there were. @throws FolderLinkedError */
  async remove(actor: FolderReader, folderId: string, ids: string[]): Promise<number> {
    const { organizationId } = actor
    return this.#commitFile(organizationId, async (tx) => {
      const folder = await getFolder(tx, actor, folderId)
      if (folder.integrationId) throw new FolderLinkedError()
      const files = await chosenToChange(tx, await filesOf(tx, actor, folder), ids)
      await removeFiles(tx, this.#options.queue, organizationId, files)
      const events = files.map((file) => ({ type: 'deleted' as const, ...placeOf(file) }))
      await noteEvents(tx, this.#options, organizationId, { at: isoNow(this.#options.clock), events })
      return files.length
    })
  }

  /**
   * The documents among the ids, in the order of the ids.
   * @throws FolderNotFoundError, NoDownloadableDataSourcesError if there is none.
   */
  async downloadable(reader: FolderReader, folderId: string, ids: string[]) {
    const { db } = this.#options
    const folder = await getReadableFolder(db, reader, folderId)
    const files = (await chosen(db, await filesOf(db, reader, folder), ids)).filter(
      (file) => file.sourceType === 'document',
    )
    if (files.length === 0) throw new NoDownloadableDataSourcesError()
    return { folder, files }
  }

  /** Files come and go beside each other, while folders stay where they are. */
  #commitFile<R>(organizationId: string, write: (tx: Tx) => Promise<R>): Promise<R> {
    return commitChecked(this.#options.writes, async (tx) => {
      await shareAdvisoryLock(tx, 'folders', organizationId)
      return write(tx)
    })
  }
}

/** Files among the ids that are in the folder and may be read, in their order. */
const chosen = (db: Db, at: FilesAt, ids: string[]): Promise<DataSource[]> =>
  inOrder(ids, (valid) => findDataSources(db, at.organizationId, at, valid))

/** Files among the ids that are in the folder and may be read, in their order, held to the end of the transaction. */
const chosenToChange = (tx: Tx, at: FilesAt, ids: string[]): Promise<DataSource[]> =>
  inOrder(ids, (valid) => holdDataSources(tx, at.organizationId, at, valid))

async function inOrder(ids: string[], find: (ids: string[]) => Promise<DataSource[]>): Promise<DataSource[]> {
  const valid = ids.filter(isId)
  if (valid.length === 0) return []
  const found = await find(valid)
  const files = new Map(found.map((file) => [file.id, file]))
  return valid.flatMap((id) => files.get(id) ?? [])
}

/** The file as an organization may see it: another one does not learn which person uploaded it. */
export const hideForeignUploader = <F extends DataSource>({ organizationId }: FolderReader, file: F): F =>
  file.organizationId === organizationId ? file : { ...file, virtualUserId: null }

/** Bytes that a new file has, and who brought them. */
export type FileContent = StoredContent & Pick<Upload, 'virtualUserId'>

export function newFile(
  content: FileContent,
  { id: folderId, organizationId }: Pick<WritableFolder, 'id' | 'organizationId'>,
  { id, title, now }: { id: string; title: string; now: string },
): DataSource {
  return {
    id,
    organizationId,
    folderId: folderId,
    title,
    titleKey: foldCase(title),
    sourceType: 'document',
    ...queuedColumns(),
    ...contentOf(content),
    parsedBlobKey: null,
    indexGeneration: 1,
    indexedFolderId: null,
    chunkCount: 0,
    virtualUserId: content.virtualUserId,
    sourceKey: null,
    sourceVersion: null,
    metadata: '{}',
    version: 1,
    servedVersion: null,
    readParseBlobKey: null,
    editsVersion: 0,
    readerListId: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Requires that no other file of a folder has the external id of one that moves there. @throws ExternalIdTakenError */
async function requireFreeId(tx: Tx, { organizationId, id }: DataSource, folderId: string): Promise<void> {
  const externalId = await findExternalId(tx, organizationId, id)
  if (externalId === null) return
  await takeAdvisoryLock(tx, 'external file', `${folderId} ${externalId}`)
  if (await findPushed(tx, organizationId, folderId, externalId)) throw new ExternalIdTakenError(externalId)
}

/** Notes for whom a file that moves is out of reach from then on. */
export async function noteMove(
  tx: Tx,
  organizationId: string,
  { from, to, at }: { from: string; to: string; at: string },
) {
  const lines = { from: await foldersAbove(tx, organizationId, from), to: await foldersAbove(tx, organizationId, to) }
  if (await noteNarrowedByMove(tx, organizationId, lines, at)) await raiseFolderRights(tx, organizationId)
}
