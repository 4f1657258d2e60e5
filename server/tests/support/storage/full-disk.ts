import { PostgresAdapter, sql } from 'kysely'
import type { Db } from '../../../src/db.ts'

/**
 * From now on the database refuses to change messages, as one does whose disk is full.
 * @param when SQL on `new` and `old`: which changes it refuses
 * @returns what makes room again
 */
export async function fillDisk(db: Db, when = 'true'): Promise<() => Promise<unknown>> {
  const trigger = `create trigger full_disk before update on message for each row when (${when})`
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
    await sql.raw(`${trigger} begin select raise(abort, 'disk full'); end`).execute(db)
    return () => sql`drop trigger full_disk`.execute(db)
  }
  await sql`create or replace function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'disk full' using errcode = '53100'; end $$`.execute(db)
  await sql.raw(`${trigger} execute function full_disk()`).execute(db)
  return () => sql`drop trigger full_disk on message`.execute(db)
}
