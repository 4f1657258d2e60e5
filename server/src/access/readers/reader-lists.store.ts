import type { ExpressionBuilder } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { slicesOf } from '../../platform/database/in-slices.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import { beginReaderLists } from '../grants/folder-rights.ts'
import { EVERYBODY, listIdOf, type ReaderSubject, type Readers, subjectsOf } from './readers.ts'

const A_STATEMENT = 200
/** Milliseconds for which a list is not noted again each time that a file gets it. */
const NOTED_MS = 12 * 3_600_000
/** Milliseconds after which a list that no file has may be removed: later than it is noted again. */
export const READER_LIST_KEPT_MS = 2 * NOTED_MS

/**
 * Sees to it that there is the list with these readers.
 * @returns its id; null for none, with which a file is everybody's
 */
export async function keepReaderList(
  tx: Tx,
  organizationId: string,
  readers: Readers | null,
  at: string,
): Promise<string | null> {
  if (!readers) return null
  const id = listIdOf(readers)
  if (await isThere(tx, organizationId, id, at)) return id
  const made = await tx
    .insertInto('reader_list')
    .values({ organization_id: organizationId, id, readers: JSON.stringify(readers), created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (made.length === 0) return id
  for (const subjects of slicesOf(subjectsOf(readers), A_STATEMENT))
    await tx
      .insertInto('reader_list_subject')
      .values(subjects.map((subject) => ({ organization_id: organizationId, subject, list_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await beginReaderLists(tx, organizationId)
  return id
}

/** Whether there is a list, which then stays for as long as a transaction may take. */
async function isThere(tx: Tx, organizationId: string, id: string, at: string): Promise<boolean> {
  const row = await tx
    .selectFrom('reader_list')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return false
  if (Date.parse(row.created_at) > Date.parse(at) - NOTED_MS) return true
  // Locks it, or finds that it was removed meanwhile.
  const { numUpdatedRows } = await tx
    .updateTable('reader_list')
    .set({ created_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes lists, but for those that a file got since a time. @returns how many were removed */
export async function removeReaderLists(
  tx: Tx,
  organizationId: string,
  { ids, before }: { ids: readonly string[]; before: string },
): Promise<number> {
  if (ids.length === 0) return 0
  const removed = await tx
    .deleteFrom('reader_list')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .where('created_at', '<', before)
    .returning('id')
    .execute()
  const gone = removed.map(({ id }) => id)
  if (gone.length > 0)
    await tx
      .deleteFrom('reader_list_subject')
      .where('organization_id', '=', organizationId)
      .where('list_id', 'in', gone)
      .execute()
  return gone.length
}

export async function findReaders(db: Db, organizationId: string, listId: string | null): Promise<Readers | null> {
  if (listId === null) return null
  const row = await db
    .selectFrom('reader_list')
    .select('readers')
    .where('organization_id', '=', organizationId)
    .where('id', '=', listId)
    .executeTakeFirst()
  // A list that is lost names nobody.
  return row ? (JSON.parse(row.readers) as Readers) : { emails: [], groups: [], domains: [] }
}

const listsOf = prepared<Tables, { organizationId: string }, { has_reader_lists: number }>((db, { organizationId }) =>
  db.selectFrom('folder_rights_version').select('has_reader_lists').where('organization_id', '=', organizationId),
)

/** Whether a file of the organization ever had a list of its readers. */
export const hasReaderLists = async (db: Db, organizationId: string): Promise<boolean> =>
  (await listsOf(db, { organizationId })).rows[0]?.has_reader_lists === 1

/** Lists that name one of these, for conditions of statements on files. */
export const selectListsNaming = (
  where: ExpressionBuilder<Tables, 'data_source'>,
  organizationId: string,
  subjects: readonly string[],
) =>
  where
    .selectFrom('reader_list_subject')
    .select('reader_list_subject.list_id')
    .where('reader_list_subject.organization_id', '=', organizationId)
    .where('reader_list_subject.subject', 'in', subjects)

/**
 * Notes whom a change of a file's readers takes something from: earlier answers to them leave the memory of chats.
 * @param before undefined for a file that nobody could read before
 */
export async function noteFewerReaders(
  tx: Tx,
  organizationId: string,
  { before, after, at }: { before: Readers | null; after: Readers | null; at: string },
): Promise<void> {
  if (!after) return
  const kept = new Set(subjectsOf(after))
  const lost = before ? subjectsOf(before).filter((subject) => !kept.has(subject)) : [EVERYBODY]
  for (const subjects of slicesOf(lost, A_STATEMENT)) await noteNarrowedSubjects(tx, organizationId, subjects, at)
}

/** Notes that these may read fewer files from now on. */
export async function noteNarrowedSubjects(
  tx: Tx,
  organizationId: string,
  subjects: readonly ReaderSubject[],
  at: string,
): Promise<void> {
  if (subjects.length === 0) return
  await tx
    .insertInto('reader_narrowing')
    .values(subjects.map((subject) => ({ organization_id: organizationId, subject, at })))
    .onConflict((conflict) => conflict.columns(['organization_id', 'subject']).doUpdateSet({ at }))
    .execute()
}

/** Time until which one of these may have read more; empty where that never was so. */
export async function findNarrowed(
  db: Db,
  organizationId: string,
  subjects: readonly ReaderSubject[],
): Promise<string> {
  const row = await db
    .selectFrom('reader_narrowing')
    .select((select) => select.fn.max('at').as('at'))
    .where('organization_id', '=', organizationId)
    .where('subject', 'in', [EVERYBODY, ...subjects])
    .executeTakeFirst()
  return row?.at ?? ''
}
