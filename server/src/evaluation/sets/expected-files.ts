import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findHiddenFiles, findNamedFile, findReadableFiles } from '../../drive/drive.ts'
import type { ExpectedFile } from './cases.store.ts'
import type { ExpectedFileInput } from './sets.schemas.ts'

/** Whether a file that is expected is there, for somebody. */
type State = 'readable' | 'gone' | 'hidden'

/**
 * Finds the files that a case expects, among those of the agent that the reader may read.
 * @param refuse makes the error for one that is not there
 */
export async function findExpectedFiles(
  db: Db,
  reader: FolderReader,
  folderIds: string[],
  wanted: ExpectedFileInput[],
  refuse: (index: number, problem: string) => Error,
): Promise<ExpectedFile[]> {
  const found: ExpectedFile[] = []
  for (const [index, { data_source_id, external_id, path, passage }] of wanted.entries()) {
    const name = path !== undefined ? { path } : external_id !== undefined ? { externalId: external_id } : undefined
    const file = await findNamedFile(db, reader, folderIds, name ?? { id: data_source_id! })
    const asked = data_source_id ?? external_id ?? path
    if (!file) throw refuse(index, `"${asked}" is no file in the folders of this agent`)
    const isShared = file.organizationId !== reader.organizationId
    found.push({ id: file.id, passage, ...(name && { name }), ...(isShared && { isShared }) })
  }
  return found
}

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

/** Expected files with those looked up again by name that were made anew since. */
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
