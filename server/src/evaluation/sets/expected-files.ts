import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findNamedFile } from '../../drive/drive.ts'
import type { ExpectedFile } from './cases.store.ts'
import type { ExpectedFileInput } from './sets.schemas.ts'

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
