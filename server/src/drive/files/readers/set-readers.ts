import { findReaders, keepReaderList, noteFewerReaders, type Readers } from '../../../access/access.ts'
import type { Tx } from '../../../db.ts'
import { type DataSource, updateDataSource } from '../data-sources.store.ts'

/**
 * Says who may read a file that is there, from the commit on.
 * @param readers null: anyone who may read its folder
 * @returns the list that it has then
 */
export async function setReaders(
  tx: Tx,
  organizationId: string,
  file: Pick<DataSource, 'id' | 'readerListId'>,
  { readers, at }: { readers: Readers | null; at: string },
): Promise<string | null> {
  const readerListId = await keepReaderList(tx, organizationId, readers, at)
  if (readerListId === file.readerListId) return readerListId
  const before = await findReaders(tx, organizationId, file.readerListId)
  await updateDataSource(tx, organizationId, file.id, { readerListId, updatedAt: at })
  await noteFewerReaders(tx, organizationId, { before, after: readers, at })
  return readerListId
}
