import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { foldCase } from '../../platform/text/text.ts'
import { FolderNotFoundError } from '../drive.errors.ts'
import { getReadableFolder, listReadableIn, listReadableRoots, listSharedRoots } from './folders.access.ts'
import type { Folder } from './folders.store.ts'

/** Names in a path, from the outside in; the slash at its start and its end may be missing. */
export const namesInPath = (path: string): string[] =>
  [...path.matchAll(/(?:\\.|[^\\/])+/gs)].map(([part]) => part.replace(/\\(.)/gs, '$1').trim()).filter(Boolean)

/**
 * Ids of the folders with these paths, for the reader; the organization's own come before those that are shared with it.
 * Paths that lead nowhere are left out.
 */
export async function findFoldersByPath(db: Db, reader: FolderReader, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const roots = [...(await listReadableRoots(db, reader)), ...(await listSharedRoots(db, reader))]
  const children = new Map<string, Promise<Folder[]>>()
  const listIn = (id: string) => {
    if (!children.has(id))
      children.set(
        id,
        getReadableFolder(db, reader, id).then((parent) => listReadableIn(db, reader, parent)),
      )
    return children.get(id)!
  }

  async function find(names: string[], among: Folder[]): Promise<string | undefined> {
    const [name, ...rest] = names
    for (const folder of among.filter(({ nameKey }) => nameKey === foldCase(name!))) {
      const found = rest.length === 0 ? folder.id : await find(rest, await listIn(folder.id))
      if (found) return found
    }
    return undefined
  }

  const found = new Map<string, string>()
  for (const path of paths) {
    const names = namesInPath(path)
    const id = names.length > 0 ? await find(names, roots) : undefined
    if (id) found.set(path, id)
  }
  return found
}

export function absent(error: unknown): undefined {
  if (!(error instanceof FolderNotFoundError)) throw error
}
