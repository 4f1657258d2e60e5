import type { LinkedFile } from '../../drive/drive.ts'
import { readPages } from '../../platform/database/statements/read-pages.ts'
import type { Source } from '../source.ts'
import type { SyncContext } from './sync-files.ts'

const KNOWN_A_PAGE = 200

/** Files that are there under another path than before, by their new paths. */
export interface MovedFiles {
  /** The file that is now at a path; it is taken only once. */
  take(path: readonly string[]): LinkedFile | undefined
  /** Whether a file waits to be taken: it must not be removed until the end. */
  isAwaited(id: string): boolean
  /** Notes that a file is where it belongs, as when its whole folder was renamed. */
  isThere(id: string): void
  /** Files that nobody took. */
  rest(): LinkedFile[]
}

/** A source that does not know all its files at once. */
export const noMoves: MovedFiles = {
  take: () => undefined,
  isAwaited: () => false,
  isThere: () => {},
  rest: () => [],
}

interface Placed {
  path: string[]
  version: string | null
  file?: LinkedFile
}

/**
 * Compares all files that are known with all that the source has. A file that is gone from one path and came at another
 * with the same content was moved; with other content it was if no other file of that name came or went. Where the source
 * knows files by ids, the id alone tells.
 */
export async function findMovedFiles(context: SyncContext, rootFolderId: string): Promise<MovedFiles> {
  const { source } = context
  if (!source.files) return noMoves
  const found = new Map<string, Placed>()
  for await (const { path, version } of source.files()) found.set(path.join('/'), { path, version })
  const known = await listKnown(context, rootFolderId)
  const gone = [...known].flatMap(([path, one]) => (found.has(path) ? [] : [one]))
  const came = [...found].flatMap(([path, one]) => (known.has(path) ? [] : [one]))
  const moved = new Map<string, LinkedFile>()
  const matched = new Set<Placed>()

  function match(keyOf: (one: Placed) => string, mayRepeat: boolean): void {
    const open = Map.groupBy(gone, keyOf)
    const wanted = Map.groupBy(came, keyOf)
    for (const [key, targets] of wanted) {
      const free = (open.get(key) ?? []).filter((one) => !matched.has(one))
      const places = targets.filter((one) => !matched.has(one))
      if (!mayRepeat && (free.length !== 1 || places.length !== 1)) continue
      for (const [index, from] of free.slice(0, places.length).entries()) {
        const to = places[index]!
        matched.add(from).add(to)
        moved.set(to.path.join('/'), from.file!)
      }
    }
  }
  const nameOf = ({ path }: Placed) => path.at(-1)!
  if (source.idOf) {
    match(({ version, path }) => idIn(source, version) ?? `unknown ${path.join('/')}`, false)
    return takeOnce(moved)
  }
  match((one) => `${one.version}/${nameOf(one)}`, true)
  match((one) => `${one.version}/${extensionIn(nameOf(one))}`, true)
  if (!source.isKnownByVersion) match(nameOf, false)
  return takeOnce(moved)
}

const idIn = ({ idOf }: Source, version: string | null) => (version === null ? undefined : idOf?.(version))

const extensionIn = (name: string): string => /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? ''

function takeOnce(moved: Map<string, LinkedFile>): MovedFiles {
  const awaited = new Map([...moved.values()].map((file) => [file.id, file]))
  return {
    take(path) {
      const file = moved.get(path.join('/'))
      return file && awaited.delete(file.id) ? file : undefined
    },
    isAwaited: (id) => awaited.has(id),
    isThere: (id) => {
      awaited.delete(id)
    },
    rest: () => [...awaited.values()],
  }
}

/** All files below a linked folder, by path. */
async function listKnown(context: SyncContext, rootFolderId: string): Promise<Map<string, Placed>> {
  const { db, drive, organizationId, signal } = context
  const known = new Map<string, Placed>()
  const open = [{ id: rootFolderId, path: [] as string[] }]
  for (let at = open.pop(); at; at = open.pop()) {
    signal.throwIfAborted()
    const { id, path } = at
    const files = readPages<LinkedFile, { key: string }>(
      ({ after, limit }) => drive.listFiles(db, organizationId, id, { after: after?.key ?? '', limit }),
      KNOWN_A_PAGE,
    )
    for await (const page of files)
      for (const file of page)
        known.set([...path, file.key].join('/'), { path: [...path, file.key], version: file.version, file })
    const folders = readPages<{ id: string; key: string }, { id: string }>(
      ({ after, limit }) => drive.listFolders(db, organizationId, id, { after: after?.id ?? '', limit }),
      KNOWN_A_PAGE,
    )
    for await (const page of folders)
      for (const folder of page) open.push({ id: folder.id, path: [...path, folder.key] })
  }
  return known
}
