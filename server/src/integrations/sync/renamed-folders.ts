import { type Source, SourceItemError } from '../source.ts'
import type { SyncContext, SyncedFolder } from './sync-files.ts'

/** Folders that are compared at most, on either side: each costs a listing. */
const MOST_COMPARED = 50
const MOST_FILES = 200

export interface KnownFolder {
  id: string
  key: string
}

/**
 * Finds folders of the source that were renamed: of those that are gone, each that has most files, by id or else by name
 * and version, in common with one that came. Its files need not be brought again.
 * @returns the new name by the id of the folder.
 */
export async function findRenamedFolders(
  context: SyncContext,
  at: SyncedFolder,
  gone: KnownFolder[],
  came: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const renamed = new Map<string, string>()
  if (gone.length === 0 || came.size === 0) return renamed
  const known = new Map<string, Set<string>>()
  for (const { id } of gone.slice(0, MOST_COMPARED)) known.set(id, await knownFiles(context, id))
  for (const name of [...came].slice(0, MOST_COMPARED)) {
    const found = await filesAt(context, [...at.path, name])
    const ranked = [...known]
      .map(([id, files]) => ({ id, common: files.intersection(found).size, count: files.size }))
      .filter(({ common, count }) => common > 0 && common * 2 >= count)
      .sort((one, other) => other.common - one.common)
    const best = ranked[0]
    if (!best) continue
    renamed.set(best.id, name)
    known.delete(best.id)
  }
  return renamed
}

const fingerprintFor =
  ({ idOf }: Source) =>
  ({ name, version }: { name: string; version: string | null }) =>
    (version === null ? undefined : idOf?.(version)) ?? `${version}/${name}`

async function knownFiles({ db, drive, source, organizationId }: SyncContext, folderId: string): Promise<Set<string>> {
  const fingerprint = fingerprintFor(source)
  const files = await drive.listFiles(db, organizationId, folderId, { after: '', limit: MOST_FILES })
  return new Set(files.map(({ key, version }) => fingerprint({ name: key, version })))
}

async function filesAt({ source, signal }: SyncContext, path: string[]): Promise<Set<string>> {
  const fingerprint = fingerprintFor(source)
  const found = new Set<string>()
  try {
    for await (const entry of source.list(path, signal)) if (entry.kind === 'file') found.add(fingerprint(entry))
  } catch (error) {
    // It will be said of it when it is its turn.
    if (!(error instanceof SourceItemError)) throw error
  }
  return found
}
