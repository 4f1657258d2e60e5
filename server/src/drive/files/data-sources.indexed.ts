import type { Db } from '../../db.ts'
import { DATA_SOURCE_COLUMNS, type DataSource } from './data-sources.store.ts'

const A_COUNT = 2_000

/** Files of an organization that are found by their text, in the order of their ids. */
export function listIndexed(
  db: Db,
  organizationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<DataSource[]> {
  return db
    .selectFrom('data_source')
    .select(DATA_SOURCE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '>', after)
    .where('status', '=', 'successful')
    .where('chunk_count', '>', 0)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Files among the given ones that are found by their text. */
export async function findIndexed(db: Db, organizationId: string, ids: string[]): Promise<DataSource[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('data_source')
    .select(DATA_SOURCE_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .where('status', '=', 'successful')
    .where('chunk_count', '>', 0)
    .execute()
}

/** Ids of all files of an organization that are found by their text, a page at a time. */
export async function* pagesOfIndexed(db: Db, organizationId: string): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('data_source')
      .select(['id', 'status', 'chunk_count'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(A_COUNT)
      .execute()
    yield rows.filter(({ status, chunk_count }) => status === 'successful' && chunk_count > 0).map(({ id }) => id)
    if (rows.length < A_COUNT) return
    after = rows.at(-1)!.id
  }
}
