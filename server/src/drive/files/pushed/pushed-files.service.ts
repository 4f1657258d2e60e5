import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { type FolderReader, keepReaderList } from '../../../access/access.ts'
import type { Db, Tx } from '../../../db.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import { isoNow } from '../../../platform/clock.ts'
import { shareAdvisoryLock, takeAdvisoryLock } from '../../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../../platform/database/statements/commit-checked.ts'
import { DomainError } from '../../../platform/errors.ts'
import { foldCase } from '../../../platform/text/text.ts'
import {
  DataSourceNotFoundError,
  DataSourceOutdatedError,
  ExternalIdTakenError,
  FolderLinkedError,
} from '../../drive.errors.ts'
import { noteEvents, noteStage, placeOf } from '../../events/note-events.ts'
import { getFolder, getReadableFolder, type WritableFolder } from '../../folders/folders.access.ts'
import { getUploads, type UploadUser } from '../../uploads/uploads.service.ts'
import { removeFiles } from '../data-sources.removal.ts'
import { type FileContent, hideForeignUploader, newFile } from '../data-sources.service.ts'
import { holdDataSources, insertDataSource, updateDataSource } from '../data-sources.store.ts'
import { enqueueIndexing, enqueueNewTitle, isAtRest } from '../indexing/data-sources.indexing.ts'
import { setMetadata } from '../metadata/metadata.store.ts'
import { listHiddenFiles } from '../readers/hidden-files.ts'
import { setReaders } from '../readers/set-readers.ts'
import { replaceContent, storeContent } from '../stored-content.ts'
import type { Outcome, PushFile, PushFiles } from './pushed-files.schemas.ts'
import { findPushed, type PushedFile, setExternal } from './pushed-files.store.ts'

export interface PushedFileOptions
  extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'newId' | 'pubsub' | 'queue' | 'writes'> {
  versionsKept: number
}

type Pusher = FolderReader & UploadUser

interface PushedContent {
  user: Pusher
  wanted: PushFile
  content: FileContent
}

interface Pushed {
  outcome: Outcome
  file: PushedFile
}

/** Files that another system keeps up to date, under ids of its own. */
export class PushedFileService {
  readonly #options: PushedFileOptions

  constructor(options: PushedFileOptions) {
    this.#options = options
  }

  /** @throws FolderNotFoundError, DataSourceNotFoundError */
  async get(reader: FolderReader, folderId: string, externalId: string): Promise<PushedFile> {
    const folder = await getReadableFolder(this.#options.db, reader, folderId)
    const file = await findPushed(this.#options.db, folder.organizationId, folder.id, externalId)
    if (!file || (await isHiddenFrom(this.#options.db, reader, file))) throw new DataSourceNotFoundError()
    return hideForeignUploader(reader, file)
  }

  /**
   * Makes the file, or gives the one with this id what is new in it; the same again changes nothing.
   * @throws FolderNotFoundError, FolderLinkedError, FileNotFoundError, DataSourceOutdatedError
   */
  async put(user: Pusher, folderId: string, externalId: string, wanted: PushFile): Promise<Pushed> {
    const { text } = wanted
    if (text === undefined)
      return this.#commitPush(user, folderId, externalId, async (tx, folder, found) => {
        const content = await this.#contentOfUpload(tx, user, wanted.file_id!)
        return found
          ? this.#change(tx, found, { user, wanted, content })
          : this.#create(tx, folder, { user, externalId, wanted, content })
      })
    const sha256 = createHash('sha256').update(text).digest('hex')
    const same = await this.#commitPush(user, folderId, externalId, async (tx, _, found) =>
      found?.sha256 === sha256 ? this.#change(tx, found, { user, wanted, content: found }) : undefined,
    )
    return same ?? (await this.#putText(user, folderId, externalId, { wanted, text }))
  }

  /** Stores the text first: a transaction holds SQL only. What no row came to need goes again. */
  async #putText(
    user: Pusher,
    folderId: string,
    externalId: string,
    { wanted, text }: { wanted: PushFile; text: string },
  ): Promise<Pushed> {
    const content = await this.#storeText(wanted.title, text)
    let pushed: Pushed | undefined
    try {
      pushed = await this.#commitPush(user, folderId, externalId, async (tx, folder, found) =>
        found
          ? this.#change(tx, found, { user, wanted, content })
          : this.#create(tx, folder, { user, externalId, wanted, content }),
      )
      return pushed
    } finally {
      if (pushed?.file.blobKey !== content.blobKey) await this.#removeUnlessUsed(user.organizationId, content.blobKey)
    }
  }

  /** Removes bytes by a task that looks first: a commit that failed here may have reached the database. */
  async #removeUnlessUsed(organizationId: string, blobKey: string): Promise<void> {
    const enqueue = (tx: Tx) =>
      this.#options.queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys: [blobKey] })
    // A second failure leaves an orphan, which the doctor finds; the first one is the reason that matters.
    await this.#options.writes.commit(enqueue).catch(() => {})
  }

  /** Deletes the file with this id, if there is one. @throws FolderNotFoundError, FolderLinkedError, DataSourceOutdatedError */
  async remove(user: Pusher, folderId: string, externalId: string, updatedAt: string | undefined) {
    return this.#commitPush(user, folderId, externalId, async (tx, _, found) => {
      if (!found) return undefined
      requireNewer(found, updatedAt)
      await removeFiles(tx, this.#options.queue, user.organizationId, [found])
      const at = isoNow(this.#options.clock)
      const events = [{ type: 'deleted' as const, ...placeOf(found) }]
      await noteEvents(tx, this.#options, user.organizationId, { at, events })
      return found
    })
  }

  /**
   * Does one after another, each in a transaction of its own: a failure is reported with its item, and the others count.
   * @throws FolderNotFoundError, FolderLinkedError
   */
  async pushAll(user: Pusher, folderId: string, { items }: PushFiles, signal: AbortSignal) {
    const results = []
    const folder = await getFolder(this.#options.db, user, folderId)
    if (folder.integrationId) throw new FolderLinkedError()
    for (const { external_id, ...item } of items) {
      signal.throwIfAborted()
      results.push({ external_id, ...(await this.#pushOne(user, folderId, external_id, item)) })
    }
    return results
  }

  async #pushOne(
    user: Pusher,
    folderId: string,
    externalId: string,
    item: PushFile | { delete: true; updated_at?: string | undefined },
  ) {
    try {
      if ('delete' in item) {
        const removed = await this.remove(user, folderId, externalId, item.updated_at)
        const outcome: Outcome = removed ? 'deleted' : 'unchanged'
        return { outcome, data_source_id: removed?.id ?? null, error: null }
      }
      const { outcome, file } = await this.put(user, folderId, externalId, item)
      return { outcome, data_source_id: file.id, error: null }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { outcome: null, data_source_id: null, error: { error_code: error.code, message: error.message } }
    }
  }

  /** Writes beside other changes of files, but not beside another one of the same external id. */
  #commitPush<R>(
    { organizationId, ...user }: Pusher,
    folderId: string,
    externalId: string,
    write: (tx: Tx, folder: WritableFolder, found: PushedFile | undefined) => Promise<R>,
  ): Promise<R> {
    return commitChecked(this.#options.writes, async (tx) => {
      await shareAdvisoryLock(tx, 'folders', organizationId)
      await takeAdvisoryLock(tx, 'external file', `${folderId} ${externalId}`)
      const folder = await getFolder(tx, { organizationId, ...user }, folderId)
      if (folder.integrationId) throw new FolderLinkedError()
      const found = await findPushed(tx, organizationId, folder.id, externalId)
      if (found && (await isHiddenFromPusher(tx, { organizationId, ...user }, found)))
        throw new ExternalIdTakenError(externalId)
      return write(tx, folder, found)
    })
  }

  async #storeText(title: string, text: string): Promise<FileContent> {
    const name = /\.(md|markdown|html?|csv|txt)$/i.test(title) ? title : `${title.slice(0, 250)}.txt`
    const content = Readable.from([Buffer.from(text)])
    return {
      ...(await storeContent(this.#options.blobs, this.#options.newId(), { name, content })),
      virtualUserId: null,
    }
  }

  async #contentOfUpload(tx: Tx, user: Pusher, fileId: string): Promise<FileContent> {
    const [upload] = await getUploads(tx, user, [fileId], isoNow(this.#options.clock))
    return upload!
  }

  async #create(
    tx: Tx,
    folder: WritableFolder,
    { user, externalId, wanted, content }: PushedContent & { externalId: string },
  ): Promise<Pushed> {
    const { organizationId } = folder
    const plain = newFile(content, folder, {
      id: this.#options.newId(),
      title: wanted.title,
      now: isoNow(this.#options.clock),
    })
    const external = { externalId, externalUpdatedAt: wanted.updated_at ?? null }
    const readerListId = await keepReaderList(tx, organizationId, wanted.readers ?? null, plain.createdAt)
    const file = { ...plain, readerListId }
    await insertDataSource(tx, organizationId, { ...file, contentOrigin: 'push', contentKeyId: user.keyId })
    const events = [{ type: 'created' as const, ...placeOf(plain) }]
    await noteEvents(tx, this.#options, organizationId, { at: plain.createdAt, events })
    await setExternal(tx, organizationId, plain.id, external)
    if (wanted.metadata) await setMetadata(tx, organizationId, plain.id, wanted.metadata)
    await enqueueIndexing(tx, this.#options.queue, plain)
    return { outcome: 'created', file: { ...file, ...external, metadata: JSON.stringify(wanted.metadata ?? {}) } }
  }

  async #change(tx: Tx, found: PushedFile, { user, wanted, content }: PushedContent): Promise<Pushed> {
    const { organizationId, id } = found
    requireNewer(found, wanted.updated_at)
    const [held] = await holdDataSources(tx, organizationId, { folderId: found.folderId, rights: undefined }, [id])
    if (!held) throw new DataSourceNotFoundError()
    const { title } = wanted
    const isReplaced = held.sha256 !== content.sha256
    const isRenamed = held.title !== title
    const isDescribed = wanted.metadata !== undefined && !isDeepStrictEqual(wanted.metadata, JSON.parse(held.metadata))
    const metadata = isDescribed ? JSON.stringify(wanted.metadata) : held.metadata
    const external = {
      externalId: found.externalId,
      externalUpdatedAt: wanted.updated_at ?? found.externalUpdatedAt,
    }
    await setExternal(tx, organizationId, id, external)
    const now = isoNow(this.#options.clock)
    const { readers } = wanted
    const readerListId =
      readers === undefined ? held.readerListId : await setReaders(tx, organizationId, held, { readers, at: now })
    const isListed = readerListId !== held.readerListId
    const before: PushedFile = { ...held, ...external, readerListId }
    if (!isReplaced && !isRenamed && !isDescribed && !isListed) return { outcome: 'unchanged', file: before }
    if (isDescribed) await setMetadata(tx, organizationId, id, wanted.metadata!)
    const { queue } = this.#options
    const changes = { title, titleKey: foldCase(title), updatedAt: now }
    if (isReplaced) {
      const note = { origin: 'push', at: changes.updatedAt, keyId: user.keyId } as const
      const others = { ...changes, virtualUserId: content.virtualUserId }
      const replaced = await replaceContent(tx, this.#options, held, content, { note, others })
      await noteStage(this.#options.pubsub, tx, { organizationId, ...placeOf(held) })
      return { outcome: 'replaced', file: { ...before, ...replaced, metadata } }
    }
    await updateDataSource(tx, organizationId, id, changes)
    if (isRenamed && isAtRest(held)) await enqueueNewTitle(tx, queue, held)
    return { outcome: 'updated', file: { ...before, ...changes, metadata } }
  }
}

const isHiddenFrom = async (db: Db, reader: FolderReader, { organizationId, id }: PushedFile): Promise<boolean> =>
  (await listHiddenFiles(db, reader, organizationId, [id])).has(id)

/** Whether a list hides a file from a person who pushes; a key of the workspace gives what its system has, and sees none of it. */
const isHiddenFromPusher = async (db: Db, pusher: Pusher, file: PushedFile): Promise<boolean> =>
  pusher.rightsHolderId !== pusher.workspaceId && (await isHiddenFrom(db, pusher, file))

function requireNewer({ externalUpdatedAt }: PushedFile, updatedAt: string | undefined): void {
  if (externalUpdatedAt !== null && updatedAt !== undefined && updatedAt < externalUpdatedAt)
    throw new DataSourceOutdatedError(externalUpdatedAt)
}
