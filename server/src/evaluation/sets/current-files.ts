import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findHiddenFiles, findNamedFile, findReadableFiles } from '../../drive/drive.ts'
import type { ExpectedFile } from './cases.store.ts'

/** Whether a file that is expected is there, for somebody. */
type State = 'readable' | 'gone' | 'hidden'

/** Tells of each of these files whether the reader may read it now. */
export async function statesOf(
  db: Db,
  reader: FolderReader,
  files: ExpectedFile[],
): Promise<(file: ExpectedFile) => State> {
  const own = [...new Set(files.flatMap(({ id, isShared }) => (isShared ? [] : [id])))]
  const shared = [...new Set(files.flatMap(({ id, isShared }) => (isShared ? [id] : [])))]
  const [readable, hidden] = [
    await findReadableFiles(db, reader, [...own, ...shared]),
    await findHiddenFiles(db, reader, own),
  ]
  // A file of another organization that is gone and one that is shared no more are not told apart.
  return ({ id, isShared }) => (readable.has(id) ? 'readable' : isShared || hidden.has(id) ? 'hidden' : 'gone')
}

/** Expected files with those looked up again by name that were recreated since. */
export async function findAgain(
  db: Db,
  reader: FolderReader,
  folderIds: string[],
  files: ExpectedFile[],
): Promise<ExpectedFile[]> {
  const stateOf = await statesOf(db, reader, files)
  const again: ExpectedFile[] = []
  for (const file of files) {
    const named = stateOf(file) === 'gone' && file.name ? await findNamedFile(db, reader, folderIds, file.name) : null
    again.push(named ? { ...file, id: named.id } : file)
  }
  return again
}
