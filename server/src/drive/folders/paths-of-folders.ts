import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { getReadableFolder } from './folders.access.ts'
import { absent } from './folders-by-path.ts'

/** `/A/B` for names from the outside in; a slash or backslash within a name has a backslash before it. */
export const toFolderPath = (names: readonly string[]): string =>
  names.map((name) => `/${name.replace(/[\\/]/g, '\\$&')}`).join('')

/**
 * Paths of folders that the reader may read, by id, each from the outermost folder that the reader sees. Ids of others
 * are left out.
 */
export async function findPathsOfFolders(db: Db, reader: FolderReader, ids: string[]): Promise<Map<string, string>> {
  const known = new Map<string, string[] | undefined>()
  async function findNames(id: string): Promise<string[] | undefined> {
    if (known.has(id)) return known.get(id)
    const folder = await getReadableFolder(db, reader, id).catch(absent)
    const above = folder?.parentId ? await findNames(folder.parentId) : []
    const names = folder && above && [...above, folder.name]
    known.set(id, names)
    return names
  }
  const paths = new Map<string, string>()
  for (const id of ids) {
    const names = await findNames(id)
    if (names) paths.set(id, toFolderPath(names))
  }
  return paths
}
