import { Readable } from 'node:stream'
import type { ZipFile } from 'yauzl'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { BlobTooLargeError } from '../../platform/blobs/blobs.ts'
import { isoNow } from '../../platform/clock.ts'
import { foldCase } from '../../platform/text/text.ts'
import type { TaskContext } from '../../queue/worker.ts'
import { noteEvents, placeOf } from '../events/note-events.ts'
import { removeFiles } from '../files/data-sources.removal.ts'
import { newFile } from '../files/data-sources.service.ts'
import { type DataSource, insertDataSource } from '../files/data-sources.store.ts'
import {
  enqueueIndexing,
  findCurrent,
  type IndexingFailure,
  type IndexingRequest,
} from '../files/indexing/data-sources.indexing.ts'
import { type IndexingStage, noteProgress } from '../files/indexing/indexing-progress.ts'
import { cleanFileName, extensionOf } from '../files/naming/file-name.ts'
import { type StoredContent, storeContent } from '../files/stored-content.ts'
import { DEEPEST_FOLDER } from '../folders/folder-tree.ts'
import { findFolder, findFolderNamed, insertFolder } from '../folders/folders.store.ts'
import { folderDepth } from '../folders/folders-above.ts'
import { findUnpacking, setUnpacking, type Unpacking } from './unpacking.store.ts'
import {
  type ArchiveEntry,
  type ArchiveLimits,
  ArchiveRefusedError,
  contentOfEntry,
  EntryDamagedError,
  listEntries,
  openArchive,
} from './zip-entries.ts'

export interface UnpackOptions
  extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'newId' | 'pubsub' | 'queue' | 'writes'> {
  /** The largest file that is taken. */
  maxBytes: number
}

export interface UnpackContext
  extends Pick<TaskContext, 'organizationId' | 'attempt' | 'signal' | 'isHeld' | 'finishIn'> {
  progress(stage: IndexingStage, done: number, total: number): void
}

/** Outcome for an archive; `stopped` where nobody wants it any more, or another attempt is at it. */
export type Unpacked = 'not asked' | 'stopped' | 'unpacked' | Omit<IndexingFailure, 'at'>

export const ZIP_TYPE = 'application/zip'

const MOST_ENTRIES = 10_000
/** Bytes of all entries together, in largest files. */
const MOST_LARGEST = 10
const MOST_RATIO = 200
const FREE_BYTES = 100 * 1024 ** 2
/** Entries that were left out, of which the reasons are told. */
const MOST_TOLD = 20
const FOLDER_GONE: Omit<IndexingFailure, 'at'> = {
  reason: 'The folder that the archive was unpacked into was deleted meanwhile. Index it again to unpack it anew.',
  code: 'CANCELLED',
}

/** Archive that is open, and how far it is unpacked. */
interface Site {
  file: DataSource
  request: IndexingRequest
  context: UnpackContext
  zip: ZipFile
  /** The state of the attempt: it is stored with each file. */
  state: Unpacking & { folderId: string }
}

/**
 * Makes a folder of an archive that is to be unpacked, a file at a time: each is stored with the note that it is done,
 * so an attempt continues where the last one was cut off. The archive goes once all of it is there; where entries were
 * left out it stays, failed, and says which.
 */
export class Unpacker {
  readonly #options: UnpackOptions
  readonly #limits: ArchiveLimits

  constructor(options: UnpackOptions) {
    const { maxBytes } = options
    this.#options = options
    this.#limits = {
      entries: MOST_ENTRIES,
      entryBytes: maxBytes,
      bytes: MOST_LARGEST * maxBytes,
      ratio: MOST_RATIO,
      freeBytes: FREE_BYTES,
    }
  }

  async unpack(file: DataSource, request: IndexingRequest, context: UnpackContext): Promise<Unpacked> {
    const { db, blobs } = this.#options
    if (file.mediaType !== ZIP_TYPE) return 'not asked'
    const begun = await findUnpacking(db, file.organizationId, file.id)
    if (!begun) return 'not asked'
    try {
      return await blobs.withFile(file.blobKey, async (path) => {
        const zip = await openArchive(path)
        try {
          const entries = await listEntries(zip, file.sizeBytes, this.#limits)
          const state = await this.#begin({ file, request, context }, begun, entries.length)
          return state ? await this.#unpackAll({ file, request, context, zip, state }, entries) : 'stopped'
        } finally {
          zip.close()
        }
      })
    } catch (error) {
      if (error instanceof ArchiveRefusedError) return { reason: error.message, code: error.code }
      throw error
    }
  }

  /** Makes the folder, unless an earlier attempt did. @returns undefined when the work is not wanted any more */
  #begin({ file, request, context }: Omit<Site, 'zip' | 'state'>, begun: Unpacking, total: number) {
    const { writes } = this.#options
    const { organizationId } = file
    const { attempt } = context
    return writes.commit(async (tx) => {
      if (!(await isWanted(tx, organizationId, request, context))) return undefined
      const progress = { stage: 'unpacking' as const, done: begun.next, total, attempt, reason_code: null }
      await noteProgress(tx, organizationId, request, progress)
      const { folderId } = begun
      if (folderId && (await findFolder(tx, organizationId, folderId))) return { ...begun, folderId }
      const { title, folderId: parentId } = file
      const name = title.slice(0, title.length - extensionOf(title).length) || title
      const made = await this.#addFolder(
        tx,
        organizationId,
        parentId,
        await freeName(tx, organizationId, parentId, name),
      )
      const state = { folderId: made, next: 0, files: 0, leftOut: [], leftOutCount: 0 }
      await setUnpacking(tx, organizationId, file.id, state)
      return state
    })
  }

  async #unpackAll(site: Site, entries: ArchiveEntry[]): Promise<Unpacked> {
    const { db } = this.#options
    const { state, context, file } = site
    const depth = await folderDepth(db, file.organizationId, state.folderId)
    for (; state.next < entries.length; context.progress('unpacking', state.next, entries.length)) {
      context.signal.throwIfAborted()
      const one = entries[state.next] as ArchiveEntry
      state.next++
      const isDeep = depth + one.names.length - 1 > DEEPEST_FOLDER
      const refusal = one.refusal ?? (isDeep ? `it lies below ${DEEPEST_FOLDER} levels` : undefined)
      if (refusal) leaveOut(state, one, refusal)
      else {
        const done = await this.#unpackOne(site, one)
        if (done !== 'unpacked') return done
      }
    }
    return this.#finish(site)
  }

  async #unpackOne(site: Site, one: ArchiveEntry): Promise<Unpacked> {
    const { writes, queue, newId, clock } = this.#options
    const { file, request, context, zip, state } = site
    const { organizationId } = file
    const content = await this.#tryStore(zip, one)
    if (typeof content === 'string') {
      leaveOut(state, one, content)
      return 'unpacked'
    }
    const after = { ...state, files: state.files + 1 }
    let outcome: Unpacked = 'stopped'
    try {
      outcome = await writes.commit(async (tx): Promise<Unpacked> => {
        if (!(await isWanted(tx, organizationId, request, context))) return 'stopped'
        const root = await findFolder(tx, organizationId, state.folderId)
        if (!root) return FOLDER_GONE
        const folderId = await this.#ensurePath(tx, organizationId, root.id, one.names.slice(0, -1))
        const now = isoNow(clock)
        const facts = { id: newId(), title: content.fileName, now }
        const made = newFile({ ...content, virtualUserId: file.virtualUserId }, { id: folderId, organizationId }, facts)
        const { readerListId } = file
        await insertDataSource(tx, organizationId, {
          ...made,
          readerListId,
          contentOrigin: 'upload',
          contentKeyId: null,
        })
        const events = [{ type: 'created' as const, ...placeOf(made) }]
        await noteEvents(tx, this.#options, organizationId, { at: now, events })
        await enqueueIndexing(tx, queue, made)
        await setUnpacking(tx, organizationId, file.id, after)
        return 'unpacked'
      })
    } finally {
      // By a task that looks first: a commit that failed here may have reached the database.
      if (outcome !== 'unpacked')
        await writes
          .commit((tx) => queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys: [content.blobKey] }))
          .catch(() => {})
    }
    state.files = after.files
    return outcome
  }

  /** @returns the stored bytes, or why the entry has none */
  async #tryStore(zip: ZipFile, { entry, names }: ArchiveEntry): Promise<StoredContent | string> {
    const { blobs, newId, maxBytes } = this.#options
    try {
      const content = Readable.from(contentOfEntry(zip, entry), { objectMode: false })
      return await storeContent(blobs, newId(), { name: names.at(-1)!, content, maxBytes })
    } catch (error) {
      if (error instanceof EntryDamagedError) return error.message
      if (error instanceof BlobTooLargeError) return 'it is larger than this server takes'
      throw error
    }
  }

  #finish({ file, request, context, state }: Site): Promise<Unpacked> {
    const { writes, queue, clock } = this.#options
    const { organizationId } = file
    return writes.commit(async (tx): Promise<Unpacked> => {
      if (!(await isWanted(tx, organizationId, request, context))) return 'stopped'
      await setUnpacking(tx, organizationId, file.id, state)
      if (state.leftOutCount > 0) {
        const folder = await findFolder(tx, organizationId, state.folderId)
        return folder ? { reason: describe(state, folder.name), code: 'ENTRIES_LEFT_OUT' } : FOLDER_GONE
      }
      await removeFiles(tx, queue, organizationId, [file])
      const events = [{ type: 'deleted' as const, ...placeOf(file) }]
      await noteEvents(tx, this.#options, organizationId, { at: isoNow(clock), events })
      await context.finishIn(tx)
      return 'unpacked'
    })
  }

  async #ensurePath(tx: Tx, organizationId: string, rootId: string, names: string[]): Promise<string> {
    let id = rootId
    for (const name of names.map(cleanFileName)) {
      const there = await findFolderNamed(tx, organizationId, { parentId: id, nameKey: foldCase(name) })
      id = there?.id ?? (await this.#addFolder(tx, organizationId, id, name))
    }
    return id
  }

  async #addFolder(tx: Tx, organizationId: string, parentId: string, name: string): Promise<string> {
    const { newId, clock } = this.#options
    const id = newId()
    const now = isoNow(clock)
    const fields = { id, parentId, name, nameKey: foldCase(name), tags: [], integrationId: null, sourceKey: null }
    await insertFolder(tx, organizationId, { ...fields, createdAt: now, updatedAt: now })
    return id
  }
}

async function isWanted(tx: Tx, organizationId: string, request: IndexingRequest, { isHeld }: UnpackContext) {
  return (await isHeld(tx)) && (await findCurrent(tx, organizationId, request)) !== undefined
}

async function freeName(tx: Tx, organizationId: string, parentId: string, wanted: string): Promise<string> {
  const clean = cleanFileName(wanted)
  for (let name = clean, number = 2; ; number++) {
    if (!(await findFolderNamed(tx, organizationId, { parentId, nameKey: foldCase(name) }))) return name
    name = `${clean.slice(0, 240)} (${number})`
  }
}

function leaveOut(state: Unpacking, { path }: ArchiveEntry, reason: string): void {
  state.leftOutCount++
  if (state.leftOut.length < MOST_TOLD) state.leftOut.push({ path: cleanPath(path), reason })
}

const MOST_OF_PATH = 200

/** Path as people are shown it: as the archive has it, also where it leads out of it. */
const cleanPath = (path: string) =>
  path
    .slice(-MOST_OF_PATH)
    .split('/')
    .map((name) => (['', '.', '..'].includes(name) ? name : cleanFileName(name)))
    .join('/')

function describe({ files, leftOut, leftOutCount }: Unpacking, folder: string): string {
  const reasons = leftOut.map(({ path, reason }) => `${path} (${reason})`).join('; ')
  const more = leftOutCount > leftOut.length ? `; and ${leftOutCount - leftOut.length} more` : ''
  return `Unpacked into the folder "${folder}": ${files === 1 ? '1 file' : `${files} files`}. Left out: ${reasons}${more}. Upload those by themselves, and delete the archive.`
}
