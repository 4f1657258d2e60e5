import type { FolderService } from '../../drive/drive.ts'
import { type SourceEntry, type SourceFile, SourceItemError, SourceUnavailableError } from '../source.ts'
import { findMovedFiles } from './moved-files.ts'
import { findRenamedFolders, type KnownFolder } from './renamed-folders.ts'
import { type MovingContext, removeGone, type SyncContext, type SyncedFolder, syncFiles } from './sync-files.ts'

const KNOWN_A_PAGE = 200
const ADDED_A_STEP = 20

export interface SyncTreeContext extends SyncContext {
  folders: Pick<FolderService, 'removeIn'>
}

type TreeContext = SyncTreeContext & MovingContext

/** Syncs a folder and all below it with the source, one folder after the other. */
export async function syncTree(given: SyncTreeContext, rootFolderId: string): Promise<void> {
  const moves = await findMovedFiles(given, rootFolderId)
  const context: TreeContext = { ...given, moves }
  /** Folders that are gone, once nothing in them waits to be moved. */
  const emptied: string[] = []
  const levels = await context.drive.levelsBelow(context.db, context.organizationId, rootFolderId)
  const open: SyncedFolder[] = [{ folderId: rootFolderId, path: [] }]
  for (let at = open.pop(); at; at = open.pop()) {
    context.signal.throwIfAborted()
    const listing = await listFolder(context, at)
    if (!listing) continue
    if (at.path.length >= levels) {
      for (const name of listing.folders) context.problems.add([...at.path, name], 'nested too deep')
      listing.folders.clear()
    }
    const left = await syncFiles(context, at, listing.files, listing.kept)
    await context.source.brought?.(at.path, left)
    open.push(...(await syncSubFolders(context, at, listing, emptied)))
  }
  await removeGone(context, moves.rest())
  for (const id of emptied) await context.step((tx) => context.folders.removeIn(tx, context.organizationId, id))
}

interface Listing {
  files: Map<string, SourceFile>
  folders: Set<string>
  /** Names of which nothing is known at the moment. */
  kept: Pick<ReadonlySet<string>, 'has'>
}

/** @returns undefined for a folder that cannot be read: what an earlier sync brought of it stays. */
async function listFolder({ source, problems, progress, signal }: SyncTreeContext, at: SyncedFolder) {
  const kept = new Set<string>()
  const listing: Listing = { files: new Map(), folders: new Set(), kept }
  const take = (entry: SourceEntry) => {
    if ((entry.kind === 'file' || entry.kind === 'folder') && entry.accessProblem)
      problems.addNarrowed([...at.path, entry.name], entry.accessProblem)
    if (entry.kind === 'file') {
      if (!listing.files.has(entry.name)) progress.addFound(1)
      listing.files.set(entry.name, entry)
    } else if (entry.kind === 'folder') listing.folders.add(entry.name)
    else if (entry.kind === 'incomplete') {
      if (entry.reason) problems.add(at.path, entry.reason)
      listing.kept = { has: (name) => !entry.gone.has(name) }
    } else {
      problems.add([...at.path, entry.name], entry.reason)
      if (entry.isKept) kept.add(entry.name)
    }
  }
  try {
    for await (const entry of source.list(at.path, signal)) take(entry)
    return listing
  } catch (error) {
    if (!(error instanceof SourceItemError)) throw error
    if (at.path.length === 0) throw new SourceUnavailableError('path', error.message, { cause: error })
    problems.add(at.path, error.message)
    return undefined
  }
}

/**
 * Renames sub-folders that are there under another name, removes those that are gone, makes new ones.
 * @param emptied folders that are to be removed at the end, because files may move out of them
 * @returns those that there are now.
 */
async function syncSubFolders(
  context: TreeContext,
  at: SyncedFolder,
  listing: Listing,
  emptied: string[],
): Promise<SyncedFolder[]> {
  const { db, drive, folders, source, organizationId, integrationId, step } = context
  const present: SyncedFolder[] = []
  const missing = new Set(listing.folders)
  const gone: KnownFolder[] = []
  const { isUnsure } = at
  const isUnsureOnceRenamed = !source.isKnownByVersion && !source.idOf
  let after = ''
  let page: Awaited<ReturnType<typeof drive.listFolders>>
  do {
    page = await drive.listFolders(db, organizationId, at.folderId, { after, limit: KNOWN_A_PAGE })
    for (const { id, key } of page) {
      if (missing.delete(key)) present.push({ folderId: id, path: [...at.path, key], isUnsure })
      else if (!listing.kept.has(key)) gone.push({ id, key })
    }
    after = page.at(-1)?.id ?? after
  } while (page.length === KNOWN_A_PAGE)

  const renamed = await findRenamedFolders(context, at, gone, missing)
  for (const { id } of gone) {
    const key = renamed.get(id)
    if (key === undefined) {
      if (source.files) emptied.push(id)
      else await step((tx) => folders.removeIn(tx, organizationId, id))
      continue
    }
    await step((tx) => drive.renameFolder(tx, organizationId, { id, parentId: at.folderId, key }))
    missing.delete(key)
    present.push({ folderId: id, path: [...at.path, key], isUnsure: isUnsureOnceRenamed })
  }

  const names = [...missing]
  for (let from = 0; from < names.length; from += ADDED_A_STEP) {
    const added = await step(async (tx) => {
      const made: SyncedFolder[] = []
      for (const key of names.slice(from, from + ADDED_A_STEP)) {
        const folderId = await drive.addFolder(tx, organizationId, { parentId: at.folderId, integrationId, key })
        made.push({ folderId, path: [...at.path, key] })
      }
      return made
    })
    present.push(...added)
  }
  return present
}
