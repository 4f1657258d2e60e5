import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { keepReaderList, listIdOf, type Readers } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { foldCase } from '../../platform/text/text.ts'
import { noteEvents, noteMoved, noteStage, placeOf } from '../events/note-events.ts'
import { removeFiles } from '../files/data-sources.removal.ts'
import { noteMove } from '../files/data-sources.service.ts'
import { insertDataSource, updateDataSource } from '../files/data-sources.store.ts'
import { enqueueIndexing, enqueueNewTitle, isAtRest } from '../files/indexing/data-sources.indexing.ts'
import { queuedColumns } from '../files/indexing/indexing-progress.ts'
import { FileMetadata } from '../files/metadata/metadata.schemas.ts'
import { addMetadata, setMetadata } from '../files/metadata/metadata.store.ts'
import { cleanFileName } from '../files/naming/file-name.ts'
import { setReaders } from '../files/readers/set-readers.ts'
import { contentOf, replaceContent, type StoredContent, storeContent } from '../files/stored-content.ts'
import { DEEPEST_FOLDER } from '../folders/folder-tree.ts'
import { findFolderNamed, insertFolder, updateFolder } from '../folders/folders.store.ts'
import { folderDepth } from '../folders/folders-above.ts'
import { type LinkedFile, listLinkedFiles } from './linked.store.ts'
import { listLinkedFolders } from './linked-folders.store.ts'

export type { LinkedFile }

/** Facts that a source knows of a file. */
interface SourceFacts {
  /** Default: the file's name. */
  title?: string | undefined
  metadata?: FileMetadata | undefined
  /** Readers of it there; null: everybody. Absent: the source does not say, and what is stays. */
  access?: Readers | null | undefined
}

export interface LinkedDriveOptions extends Pick<KernelParts, 'blobs' | 'clock' | 'newId' | 'pubsub' | 'queue'> {
  maxBytes: number
  versionsKept: number
}

/**
 * Operations that integrations, and nobody else, may do in the folders that are linked to them. The caller sees to it
 * that the folder is live and linked, in the transaction that it hands over.
 */
export class LinkedDrive {
  readonly listFiles = listLinkedFiles
  readonly listFolders = listLinkedFolders
  readonly #options: LinkedDriveOptions

  constructor(options: LinkedDriveOptions) {
    this.#options = options
  }

  /** The largest file that is taken. */
  get maxBytes(): number {
    return this.#options.maxBytes
  }

  /** How many levels may still be made below a folder. */
  async levelsBelow(db: Db, organizationId: string, folderId: string): Promise<number> {
    return DEEPEST_FOLDER - (await folderDepth(db, organizationId, folderId))
  }

  /** @throws BlobTooLargeError, and whatever the content throws; nothing is stored then. */
  async store(key: string, content: Readable): Promise<StoredContent> {
    const { newId, blobs, maxBytes } = this.#options
    return storeContent(blobs, newId(), { name: key, content, maxBytes })
  }

  /** Lets go of what was stored and is not needed. */
  async drop(blobKeys: string[]): Promise<void> {
    for (const key of blobKeys) await this.#options.blobs.remove(key)
  }

  async addFile(
    tx: Tx,
    organizationId: string,
    file: {
      folderId: string
      key: string
      version: string
      sourceType: string
      content: StoredContent
    } & SourceFacts,
  ): Promise<void> {
    const { newId, clock, queue } = this.#options
    const id = newId()
    const now = isoNow(clock)
    const readerListId = await keepReaderList(tx, organizationId, file.access ?? null, now)
    await insertDataSource(tx, organizationId, {
      id,
      folderId: file.folderId,
      ...titleOf(file.title ?? file.content.fileName),
      sourceType: file.sourceType,
      ...queuedColumns(),
      ...contentOf(file.content),
      parsedBlobKey: null,
      indexGeneration: 1,
      indexedFolderId: null,
      chunkCount: 0,
      virtualUserId: null,
      sourceKey: file.key,
      sourceVersion: file.version,
      contentOrigin: 'sync',
      contentKeyId: null,
      readerListId,
      createdAt: now,
      updatedAt: now,
    })
    const events = [{ type: 'created' as const, folderId: file.folderId, dataSourceId: id }]
    await noteEvents(tx, this.#options, organizationId, { at: now, events })
    if (file.metadata) await setMetadata(tx, organizationId, id, file.metadata)
    await enqueueIndexing(tx, queue, { id, organizationId, indexGeneration: 1 })
  }

  /** Gives a file other bytes, with what the source says of them, and has it indexed again. */
  async updateFile(
    tx: Tx,
    organizationId: string,
    file: LinkedFile,
    { version, content, title, metadata, access }: { version: string; content: StoredContent } & SourceFacts,
  ): Promise<void> {
    const { clock, queue, versionsKept } = this.#options
    const at = isoNow(clock)
    await this.setAccess(tx, organizationId, file, access)
    const others = { sourceVersion: version, ...(title && titleOf(title)), updatedAt: at }
    if (metadata) await addMetadata(tx, organizationId, file.id, metadata)
    await replaceContent(tx, { queue, versionsKept }, { ...file, organizationId, version: file.number }, content, {
      note: { origin: 'sync', at, keyId: null },
      others,
    })
    await noteStage(this.#options.pubsub, tx, { organizationId, ...placeOf(file) })
  }

  /** Notes what the source says of a file whose bytes are the same; it stays as it is indexed. */
  async describeFile(
    tx: Tx,
    organizationId: string,
    file: LinkedFile,
    { version, name, title, metadata, access }: { version: string; name: string } & SourceFacts,
  ): Promise<void> {
    if (isSaidOf(file, { name, title, metadata })) {
      await this.setAccess(tx, organizationId, file, access)
      return updateDataSource(tx, organizationId, file.id, { sourceVersion: version })
    }
    await this.renameFile(tx, organizationId, file, {
      key: file.key,
      version,
      fileName: cleanFileName(name),
      title,
      metadata,
      access,
    })
  }

  /** Obeys the source in who may read a file. */
  async setAccess(tx: Tx, organizationId: string, file: LinkedFile, access: SourceFacts['access']): Promise<void> {
    if (access !== undefined)
      await setReaders(tx, organizationId, file, { readers: access, at: isoNow(this.#options.clock) })
  }

  /** Gives a file that the source calls otherwise now, with the same bytes, its new name; it stays as it is indexed. */
  async renameFile(
    tx: Tx,
    organizationId: string,
    file: LinkedFile,
    {
      key,
      version,
      fileName,
      title,
      metadata,
      access,
    }: { key: string; version: string; fileName: string } & SourceFacts,
  ): Promise<void> {
    const { clock, queue } = this.#options
    await this.setAccess(tx, organizationId, file, access)
    if (metadata) await addMetadata(tx, organizationId, file.id, metadata)
    await updateDataSource(tx, organizationId, file.id, {
      sourceKey: key,
      sourceVersion: version,
      fileName,
      ...titleOf(title ?? fileName),
      updatedAt: isoNow(clock),
    })
    const isRenamed = (title ?? fileName) !== file.title
    if (isRenamed && isAtRest(file)) await enqueueNewTitle(tx, queue, { ...file, organizationId })
  }

  /** Puts a file into another folder of the same source, under the name that it has there; its content stays. */
  async moveFile(
    tx: Tx,
    organizationId: string,
    file: LinkedFile,
    { folderId, key, title, access, ...names }: { folderId: string; key: string; fileName: string } & SourceFacts,
  ): Promise<void> {
    const { clock, queue } = this.#options
    await this.setAccess(tx, organizationId, file, access)
    const fileName = cleanFileName(names.fileName)
    const now = isoNow(clock)
    await updateDataSource(tx, organizationId, file.id, {
      folderId,
      sourceKey: key,
      fileName,
      ...titleOf(title ?? fileName),
      updatedAt: now,
    })
    await queue.enqueue(tx, organizationId, 'retrieval.move', { dataSourceId: file.id })
    await noteMove(tx, organizationId, { from: file.folderId, to: folderId, at: now })
    await noteMoved(tx, this.#options, organizationId, { file, to: folderId, at: now })
    if (isAtRest(file) && fileName !== file.fileName) await enqueueNewTitle(tx, queue, { ...file, organizationId })
  }

  async removeFiles(tx: Tx, organizationId: string, files: LinkedFile[]): Promise<void> {
    await removeFiles(tx, this.#options.queue, organizationId, files)
    const events = files.map((file) => ({ type: 'deleted' as const, ...placeOf(file) }))
    await noteEvents(tx, this.#options, organizationId, { at: isoNow(this.#options.clock), events })
  }

  /** Makes a sub-folder; names that only differ in case or are cleaned to the same get ` (2)`, ` (3)`. */
  async addFolder(
    tx: Tx,
    organizationId: string,
    { parentId, integrationId, key }: { parentId: string; integrationId: string; key: string },
  ): Promise<string> {
    const { newId, clock } = this.#options
    const id = newId()
    const now = isoNow(clock)
    const name = await freeName(tx, organizationId, { id, parentId, key })
    await insertFolder(tx, organizationId, {
      id,
      parentId,
      name,
      nameKey: foldCase(name),
      tags: [],
      integrationId,
      sourceKey: key,
      createdAt: now,
      updatedAt: now,
    })
    return id
  }

  /** Gives a sub-folder that the source calls otherwise now its new name; all that is in it stays. */
  async renameFolder(
    tx: Tx,
    organizationId: string,
    { id, parentId, key }: { id: string; parentId: string; key: string },
  ): Promise<void> {
    const name = await freeName(tx, organizationId, { id, parentId, key })
    const changes = { name, nameKey: foldCase(name), sourceKey: key, updatedAt: isoNow(this.#options.clock) }
    await updateFolder(tx, organizationId, id, changes)
  }
}

/** Whether a file has the name, the title, the readers and the facts that its source gives it; other facts do not count. */
export function isSaidOf(
  file: Pick<LinkedFile, 'title' | 'fileName' | 'metadata' | 'readerListId'>,
  { name, title, metadata = {}, access }: { name: string } & SourceFacts,
): boolean {
  if (access !== undefined && file.readerListId !== (access && listIdOf(access))) return false
  const fileName = cleanFileName(name)
  if (file.fileName !== fileName || file.title !== (title ?? fileName)) return false
  const known = JSON.parse(file.metadata) as FileMetadata
  const described = FileMetadata.safeParse({ ...known, ...metadata })
  // More than metadata may hold is never added.
  return !described.success || isDeepStrictEqual(described.data, known)
}

/** Name for a folder of the source: its own, or one with a number that no other folder has. */
async function freeName(
  tx: Tx,
  organizationId: string,
  { id, parentId, key }: { id: string; parentId: string; key: string },
): Promise<string> {
  const wanted = cleanFileName(key)
  for (let name = wanted, number = 2; ; number++) {
    const other = await findFolderNamed(tx, organizationId, { parentId, nameKey: foldCase(name) })
    if (!other || other.id === id) return name
    name = `${wanted.slice(0, 240)} (${number})`
  }
}

const titleOf = (title: string) => ({ title, titleKey: foldCase(title) })
