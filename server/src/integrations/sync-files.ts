import type { Db } from '../db.ts'
import type { LinkedDrive, LinkedFile, StoredContent } from '../drive/linked.service.ts'
import { BlobTooLargeError } from '../platform/blobs/blobs.ts'
import type { Source, SourceEntry } from './source.ts'
import { SourceItemError } from './source.ts'
import type { SyncProblems } from './sync-problems.ts'
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
  signal: AbortSignal
}

export interface SyncedFolder {
  folderId: string
  /** Names from the root of the source. */
  path: string[]
}

export type SourceFile = Extract<SourceEntry, { kind: 'file' }>

const KNOWN_A_PAGE = 200
const REMOVED_A_STEP = 25
const READ_AT_ONCE = 8

/** Brings the files of one folder in step. @param found what the source has there, by name @param kept names to leave */
export async function syncFiles(
  context: SyncContext,
  at: SyncedFolder,
  found: Map<string, SourceFile>,
  kept: Set<string>,
): Promise<void> {
  const { db, drive, organizationId, problems } = context
  const isTooLarge = ({ sizeBytes }: SourceFile) => sizeBytes > drive.maxBytes
  for (const file of found.values()) if (isTooLarge(file)) problems.add([...at.path, file.name], tooLarge(drive))

  const missing = new Map([...found].filter(([, file]) => !isTooLarge(file)))
  const wanted = new Map(missing)
  let after = ''
  let page: LinkedFile[]
  do {
    page = await drive.listFiles(db, organizationId, at.folderId, { after, limit: KNOWN_A_PAGE })
    for (const file of page) missing.delete(file.key)
    await removeGone(
      context,
      page.filter((file) => !wanted.has(file.key) && !kept.has(file.key)),
    )
    const changed = page.flatMap((known) => {
      const file = wanted.get(known.key)
      return file && file.version !== known.version ? [{ file, known }] : []
    })
    await bring(context, at, changed)
    after = page.at(-1)?.key ?? after
  } while (page.length === KNOWN_A_PAGE)
  await bring(
    context,
    at,
    [...missing.values()].map((file) => ({ file })),
  )
}

async function removeGone({ step, drive, organizationId }: SyncContext, gone: LinkedFile[]): Promise<void> {
  for (let from = 0; from < gone.length; from += REMOVED_A_STEP) {
    const files = gone.slice(from, from + REMOVED_A_STEP)
    await step((tx) => drive.removeFiles(tx, organizationId, files))
  }
}

interface Wanted {
  file: SourceFile
  /** What an earlier sync brought under this name. */
  known?: LinkedFile
}

async function bring(context: SyncContext, at: SyncedFolder, all: Wanted[]): Promise<void> {
  const { drive, organizationId, step, sourceType } = context
  for (let from = 0; from < all.length; from += READ_AT_ONCE) {
    context.signal.throwIfAborted()
    const contents = await readAll(context, at, all.slice(from, from + READ_AT_ONCE))
    const isSame = ({ known, content }: Read) => known?.sha256 === content.sha256
    try {
      await step(async (tx) => {
        for (const read of contents) {
          const { file, known, content } = read
          const { name: key, version } = file
          if (!known)
            await drive.addFile(tx, organizationId, { folderId: at.folderId, key, version, sourceType, content })
          else if (isSame(read)) await drive.updateFile(tx, organizationId, known, { version })
          else await drive.updateFile(tx, organizationId, known, { version, content })
        }
      })
    } catch (error) {
      await drive.drop(contents.map(({ content }) => content.blobKey))
      throw error
    }
    await drive.drop(contents.filter(isSame).map(({ content }) => content.blobKey))
  }
}

type Read = Wanted & { content: StoredContent }

/** The bytes of those that can be read; when storing fails, none stays. */
async function readAll(context: SyncContext, at: SyncedFolder, wanted: Wanted[]): Promise<Read[]> {
  const outcomes = await Promise.allSettled(wanted.map((one) => read(context, at, one)))
  const contents = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failed) return contents
  await context.drive.drop(contents.map(({ content }) => content.blobKey))
  throw failed.reason
}

async function read({ source, drive, problems }: SyncContext, at: SyncedFolder, wanted: Wanted) {
  const path = [...at.path, wanted.file.name]
  try {
    return { ...wanted, content: await drive.store(wanted.file.name, await source.open(path)) }
  } catch (error) {
    if (error instanceof BlobTooLargeError) problems.add(path, tooLarge(drive))
    else if (error instanceof SourceItemError) problems.add(path, error.message)
    else throw error
    return undefined
  }
}

const tooLarge = ({ maxBytes }: LinkedDrive): string => `larger than ${maxBytes} bytes, which is the limit`
