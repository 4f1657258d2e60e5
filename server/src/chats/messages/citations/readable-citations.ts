import type { FolderReader } from '../../../access/access.ts'
import type { Db } from '../../../db.ts'
import { findHiddenFiles, findRestriction } from '../../../drive/drive.ts'

type Cited = { data_source_id: string }

/**
 * Leaves out citations of files that the reader may not read now, whose text they hold: rights may have changed since the
 * answer, or somebody else asked. Costs nothing where nothing is kept from the reader.
 */
export async function withReadableCitations<M extends { citations: string }>(
  db: Db,
  reader: FolderReader,
  messages: M[],
): Promise<M[]> {
  const hidden = await findHiddenCited(db, reader, messages)
  if (hidden.size === 0) return messages
  return messages.map((message) => ({
    ...message,
    citations: JSON.stringify(citedIn(message.citations).filter((one) => !hidden.has(one.data_source_id))),
  }))
}

/** Files that messages cite and that the reader may not read now; those that are gone do not count. */
async function findHiddenCited(
  db: Db,
  reader: FolderReader,
  messages: readonly { citations: string }[],
): Promise<ReadonlySet<string>> {
  const cited = messages.flatMap(({ citations }) => citedIn(citations)).map((one) => one.data_source_id)
  return findHiddenAmong(db, reader, cited)
}

/** Files among some that the reader may not read now; those that are gone do not count. */
export async function findHiddenAmong(
  db: Db,
  reader: FolderReader,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (fileIds.length === 0 || !(await findRestriction(db, reader))) return new Set()
  return findHiddenFiles(db, reader, [...new Set(fileIds)])
}

const citedIn = (citations: string): Cited[] => (citations === '[]' ? [] : (JSON.parse(citations) as Cited[]))
