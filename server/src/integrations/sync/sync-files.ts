import type { Db } from '../../db.ts'
import { isSaidOf, type LinkedDrive, type LinkedFile, type StoredContent } from '../../drive/drive.ts'
import { BlobTooLargeError } from '../../platform/blobs/blobs.ts'
import { type Source, type SourceFile, SourceItemError } from '../source.ts'
import type { MovedFiles } from './moved-files.ts'
import type { SyncProblems } from './sync-problems.ts'
import type { SyncProgress } from './sync-progress.ts'
import type { SyncStep } from './sync-step.ts'

export interface SyncContext {
  db: Db
  drive: LinkedDrive
  source: Source
  sourceType: string
  organizationId: string
  integrationId: string
  /** Commits a write, as long as this sync is the one that counts. */
  step: SyncStep
  problems: SyncProblems
  progress: SyncProgress
  signal: AbortSignal
}

/** Sync of a whole tree, in which files may move from folder to folder. */
export interface MovingContext extends SyncContext {
  moves: MovedFiles
}

export interface SyncedFolder {
  folderId: string
  /** Names from the root of the source. */
  path: string[]
  /** It had another name until now: equal versions may be a coincidence, and bytes are compared. */
  isUnsure?: boolean
}

const KNOWN_A_PAGE = 200
const REMOVED_A_STEP = 25
const DESCRIBED_A_STEP = 25
/** Files of one folder that are gone and may be there under another name; what exceeds that is removed at once. */
const MOST_GONE = 1_000
const READ_AT_ONCE = 8

/**
 * Syncs the files of one folder. @param found what the source has there, by name @param kept names to leave
 * @returns names that were left out.
 */
export async function syncFiles(
  given: MovingContext,
  at: SyncedFolder,
  found: Map<string, SourceFile>,
  kept: Pick<ReadonlySet<string>, 'has'>,
): Promise<ReadonlySet<string>> {
  const left = new Set<string>()
  const add: SyncProblems['add'] = (path, reason) => {
    left.add(path.at(-1)!)
    given.problems.add(path, reason)
  }
  const context: MovingContext = { ...given, problems: { ...given.problems, add } }
  const { db, drive, organizationId, problems, progress, moves } = context
  const isTooLarge = ({ sizeBytes }: SourceFile) => sizeBytes > drive.maxBytes
  for (const file of found.values()) if (isTooLarge(file)) problems.add([...at.path, file.name], tooLarge(drive))

  const missing = new Map([...found].filter(([, file]) => !isTooLarge(file)))
  const wanted = new Map(missing)
  progress.addDone(found.size - wanted.size)
  const gone = new Map<string, LinkedFile>()
  const sizes = new Set([...found.values()].map(({ sizeBytes }) => sizeBytes))
  let after = ''
  let page: LinkedFile[]
  do {
    page = await drive.listFiles(db, organizationId, at.folderId, { after, limit: KNOWN_A_PAGE })
    for (const file of page) {
      missing.delete(file.key)
      if (wanted.has(file.key)) moves.isThere(file.id)
    }
    const lost = page.filter((file) => !wanted.has(file.key) && !kept.has(file.key) && !moves.isAwaited(file.id))
    // Files that no other file can be the new name of go at once, and do not wait for files to be read.
    for (const file of lost)
      if (gone.size < MOST_GONE && sizes.has(file.sizeBytes) && !gone.has(file.sha256)) gone.set(file.sha256, file)
    await removeGone(
      context,
      lost.filter((file) => gone.get(file.sha256) !== file),
    )
    const changed = page.flatMap((known) => {
      const file = wanted.get(known.key)
      return file && (at.isUnsure || file.version !== known.version) ? [{ file, known }] : []
    })
    const known = page.filter(({ key }) => wanted.has(key)).length
    progress.addDone(known - changed.length)
    await describe(context, page, wanted)
    await bring(context, at, changed, gone)
    after = page.at(-1)?.key ?? after
  } while (page.length === KNOWN_A_PAGE)
  const moved = await takeMoved(context, at, missing)
  await bring(context, at, [...moved, ...[...missing.values()].map((file) => ({ file }))], gone)
  await removeGone(context, [...gone.values()])
  return left
}

/**
 * Moves files that were in another folder to this one, and takes them out of what is missing.
 * @returns those whose content changed, too
 */
async function takeMoved(
  context: MovingContext,
  at: SyncedFolder,
  missing: Map<string, SourceFile>,
): Promise<Wanted[]> {
  const { drive, organizationId, step, progress, moves } = context
  const changed: Wanted[] = []
  for (const file of [...missing.values()]) {
    const before = moves.take([...at.path, file.name])
    if (!before) continue
    missing.delete(file.name)
    const known = { ...before, key: file.name }
    const { name: key, fileName = key, title, access } = file
    const place = { folderId: at.folderId, key, fileName, title, access }
    await step((tx) => drive.moveFile(tx, organizationId, before, place))
    if (before.version === file.version) progress.addDone(1)
    else changed.push({ file, known })
  }
  return changed
}

const factsOf = ({ name, fileName = name, title, metadata, access }: SourceFile) => ({
  name: fileName,
  title,
  metadata,
  access,
})

/** Notes other titles and other facts of files whose versions say that their bytes are the same. */
async function describe(context: SyncContext, page: LinkedFile[], found: Map<string, SourceFile>): Promise<void> {
  const { drive, organizationId, step } = context
  const changed = page.flatMap((known) => {
    const file = found.get(known.key)
    return file?.version === known.version && !isSaidOf(known, factsOf(file)) ? [{ file, known }] : []
  })
  for (let from = 0; from < changed.length; from += DESCRIBED_A_STEP)
    await step(async (tx) => {
      for (const { file, known } of changed.slice(from, from + DESCRIBED_A_STEP))
        await drive.describeFile(tx, organizationId, known, { version: file.version, ...factsOf(file) })
    })
}

/** Removes files, some in each write. */
export async function removeGone({ step, drive, organizationId }: SyncContext, gone: LinkedFile[]): Promise<void> {
  for (let from = 0; from < gone.length; from += REMOVED_A_STEP) {
    const files = gone.slice(from, from + REMOVED_A_STEP)
    await step((tx) => drive.removeFiles(tx, organizationId, files))
  }
}

interface Wanted {
  file: SourceFile
  /** The file that an earlier sync brought under this name. */
  known?: LinkedFile
}

/**
 * @param gone files that are not there any more, by their SHA-256; those that are, under another name, are taken out
 */
async function bring(
  context: SyncContext,
  at: SyncedFolder,
  all: Wanted[],
  gone: Map<string, LinkedFile>,
): Promise<void> {
  const { drive, organizationId, step, sourceType } = context
  for (let from = 0; from < all.length; from += READ_AT_ONCE) {
    context.signal.throwIfAborted()
    const wanted = all.slice(from, from + READ_AT_ONCE)
    const contents = await readAll(context, at, wanted)
    const unread = wanted.filter(({ file }) => !contents.some((read) => read.file === file))
    const renamed = takeRenamed(contents, gone)
    const isSame = (read: Read) => read.known?.sha256 === read.content.sha256 || renamed.has(read)
    try {
      await step(async (tx) => {
        // A file that changed and cannot be read stays as it was, for those who may read it there now.
        for (const { known, file } of unread) if (known) await drive.setAccess(tx, organizationId, known, file.access)
        for (const read of contents) {
          const { file, known, content } = read
          const { name: key, version, title, metadata, access } = file
          const facts = { title, metadata, access }
          const before = renamed.get(read)
          if (before)
            await drive.renameFile(tx, organizationId, before, { key, version, fileName: content.fileName, ...facts })
          else if (!known)
            await drive.addFile(tx, organizationId, {
              folderId: at.folderId,
              key,
              version,
              sourceType,
              content,
              ...facts,
            })
          else if (isSame(read)) await drive.describeFile(tx, organizationId, known, { version, ...factsOf(file) })
          else await drive.updateFile(tx, organizationId, known, { version, content, ...facts })
        }
      })
    } catch (error) {
      await drive.drop(contents.map(({ content }) => content.blobKey))
      throw error
    }
    context.progress.addDone(Math.min(READ_AT_ONCE, all.length - from))
    await drive.drop(contents.filter(isSame).map(({ content }) => content.blobKey))
  }
}

type Read = Wanted & { content: StoredContent }

/** New files that are gone ones under another name: equal bytes, and of one kind by their names. */
function takeRenamed(all: Read[], gone: Map<string, LinkedFile>): Map<Read, LinkedFile> {
  const renamed = new Map<Read, LinkedFile>()
  for (const read of all) {
    const before = read.known ? undefined : gone.get(read.content.sha256)
    if (before?.mediaType !== read.content.mediaType) continue
    renamed.set(read, before)
    gone.delete(read.content.sha256)
  }
  return renamed
}

/** The bytes of those that can be read; when storing fails, none stays. */
async function readAll(context: SyncContext, at: SyncedFolder, wanted: Wanted[]): Promise<Read[]> {
  const outcomes = await Promise.allSettled(wanted.map((one) => read(context, at, one)))
  const contents = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failed) return contents
  await context.drive.drop(contents.map(({ content }) => content.blobKey))
  throw failed.reason
}

async function read({ source, drive, problems, signal }: SyncContext, at: SyncedFolder, wanted: Wanted) {
  const { name, fileName = name } = wanted.file
  const path = [...at.path, name]
  try {
    return { ...wanted, content: await drive.store(fileName, await source.open(path, signal)) }
  } catch (error) {
    if (error instanceof BlobTooLargeError) problems.add(path, tooLarge(drive))
    else if (error instanceof SourceItemError) problems.add(path, error.message)
    else throw error
    return undefined
  }
}

const tooLarge = ({ maxBytes }: LinkedDrive): string => `larger than ${maxBytes} bytes, which is the limit`
