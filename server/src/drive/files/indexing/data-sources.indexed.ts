import type { Db } from '../../../db.ts'
import { readPages } from '../../../platform/database/statements/read-pages.ts'
import { isFound } from '../data-sources.found.ts'
import { DATA_SOURCE_COLUMNS, type DataSource } from '../data-sources.store.ts'

const A_COUNT = 2_000

const selectIndexed = (db: Db, organizationId: string) =>
  db
    .selectFrom('data_source')
    .select(DATA_SOURCE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where(isFound)
    .where('chunk_count', '>', 0)

/** Files of an organization that are found by their text, in the order of their ids. */
export function listIndexed(
  db: Db,
  organizationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<DataSource[]> {
  return selectIndexed(db, organizationId).where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Files among the given ones that are found by their text. */
export async function findIndexed(db: Db, organizationId: string, ids: string[]): Promise<DataSource[]> {
  if (ids.length === 0) return []
  return selectIndexed(db, organizationId).where('id', 'in', ids).execute()
}

interface Counted {
  id: string
  status: string
  served_version: string | number | null
  chunk_count: number
}

/** Ids of all files of an organization that are found by their text, a page at a time. */
export async function* pagesOfIndexed(db: Db, organizationId: string): AsyncGenerator<string[]> {
  const pages = readPages<Counted, { id: string }>(
    ({ after, limit }) =>
      db
        .selectFrom('data_source')
        .select(['id', 'status', 'served_version', 'chunk_count'])
        .where('organization_id', '=', organizationId)
        .where('id', '>', after?.id ?? '')
        .orderBy('id')
        .limit(limit)
        .execute(),
    A_COUNT,
  )
  for await (const rows of pages) {
    const found = rows.filter(({ status, served_version }) => status === 'successful' || served_version !== null)
    yield found.filter(({ chunk_count }) => chunk_count > 0).map(({ id }) => id)
  }
}
