import type { DatabasePlace } from '../../platform/database/open.ts'
import { readSqlite } from './read-sqlite.ts'

/** A database as it is, opened so that nothing can be written. */
export interface ReadDatabase {
  /** Names of the migrations that ran on it, in order; undefined if Docent never used it. */
  applied(): Promise<string[] | undefined>
  /** Rows of a table: counted, or on PostgreSQL as its statistics know them. */
  rows(table: string): Promise<number>
  /** Size of the file that is copied before a migration changes it; 0 on PostgreSQL. */
  copiedBytes: number
  close(): Promise<void>
}

/** @throws Error when there is no database */
export const readDatabase = async ({ dataDir, postgres }: DatabasePlace): Promise<ReadDatabase> =>
  postgres ? readPostgres(postgres.url) : readSqlite(dataDir)

async function readPostgres(url: string): Promise<ReadDatabase> {
  // Imported only then: the embedded database needs none of it.
  const [{ default: pg }, { explainedPostgres }, { ALL_ORGANIZATIONS, ORGANIZATION_SETTING }] = await Promise.all([
    import('pg'),
    import('../../platform/database/postgres/postgres-errors.ts'),
    import('../../platform/database/postgres/row-security.ts'),
  ])
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await explainedPostgres(async () => {
    await client.connect()
    await client.query('begin transaction read only')
    await client.query('select set_config($1, $2, true)', [ORGANIZATION_SETTING, ALL_ORGANIZATIONS])
  })
  const find = async (table: string) =>
    (await client.query('select reltuples::float8 as rows from pg_class where oid = to_regclass($1)', [`"${table}"`]))
      .rows[0]?.rows as number | undefined
  return {
    async applied() {
      if ((await find('kysely_migration')) === undefined) return undefined
      return (await client.query('select name from kysely_migration order by name')).rows.map(({ name }) => name)
    },
    async rows(table) {
      const known = await find(table)
      if (known === undefined || known > 0) return Math.round(known ?? 0)
      // Tables that were never analyzed are new or small.
      return Number((await client.query(`select count(*) as rows from "${table}"`)).rows[0].rows)
    },
    copiedBytes: 0,
    close: () => client.end(),
  }
}
