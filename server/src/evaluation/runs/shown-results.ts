import type { FolderReader } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findReadableFiles } from '../../drive/drive.ts'
import { statesOf } from '../sets/current-files.ts'
import type { ResultRecord } from './runs.store.ts'

/**
 * Tells of each result whether the reader may see its texts: only if they may read now each file that was expected and
 * each that was found. Rights and files may have changed since the run.
 */
export async function findShown(
  db: Db,
  reader: FolderReader,
  results: readonly ResultRecord[],
): Promise<(result: ResultRecord) => boolean> {
  const stateOf = await statesOf(
    db,
    reader,
    results.flatMap(({ asked }) => asked.expectedFiles),
  )
  const ids = new Set(results.flatMap(({ fileIds }) => fileIds))
  const readable = await findReadableFiles(db, reader, [...ids])
  return ({ asked, fileIds }) =>
    asked.expectedFiles.every((file) => stateOf(file) !== 'hidden') && fileIds.every((id) => readable.has(id))
}
