import { Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Migrations } from '../migrate.ts'
import type { OpenOptions, PostgresDatabase } from '../open.ts'
import type { AnyDb } from '../statements/across-organizations.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { explainedPostgres, PostgresUnusableError } from './postgres-errors.ts'
import { type Pulse, watchPulse } from './pulse.ts'
import { createSeparateCommits } from './separate-commits.ts'
import { watchYoungTables } from './young-tables.ts'

export interface PostgresOptions {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE, with `pg`'s parameters. */
  url: string
  /** Most connections that this process has open at once. */
  connections: number
  /** Called with connections that broke while nothing used them: they are replaced when needed. */
  onIdleError?(error: Error): void
  /** Called when the server ceases to answer, and when it answers again. */
  onPulse?(isThere: boolean): void
  /** Called once, when the role may see all rows whatever the policies say. */
  onUnboundRole?(role: string): void
}

const OLDEST_VERSION = 13
const CONNECT_PATIENCE_MS = 5_000

/**
 * Opens the database that the URL names, with its schema up to date.
 * @throws DatabaseTooNewError, DatabaseUnusableError
 */
export async function openPostgres<S>(
  options: PostgresOptions,
  migrations: Migrations,
  { plugins = [], onCommitted }: OpenOptions = {},
): Promise<PostgresDatabase<S>> {
  return explainedPostgres(async () => {
    const pool = createPool(options)
    const pulse = watchPulse({ pool, url: options.url, onChange: options.onPulse })
    const db = new Kysely<S>({ dialect: postgresDialect(watched(pool, pulse)), plugins })
    let endWatch = () => {}
    try {
      await checkServer(db.withoutPlugins(), options)
      const applied = await migratePostgres(db.withoutPlugins(), migrations)
      if (applied.length === Object.keys(migrations).length) endWatch = watchYoungTables(db.withoutPlugins())
    } catch (error) {
      await db.destroy()
      throw error
    }
    async function close() {
      endWatch()
      await db.destroy()
    }
    return { kind: 'postgres', db, writes: createSeparateCommits(db, onCommitted), pool, close }
  })
}

/** Ends the waiting for a server that does not answer. */
const watched = (pool: pg.Pool, pulse: Pulse) => ({
  connect: () => (pulse.isThere() ? pool.connect() : Promise.reject(pulse.silence())),
  async end() {
    pulse.stop()
    await pool.end()
  },
})

function createPool({ url, connections, onIdleError }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_PATIENCE_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    fallback_application_name: 'docent',
    types: { getTypeParser: (oid: number, format?: 'text') => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format) },
  } as pg.PoolConfig)
  pool.on('error', (error) => onIdleError?.(error))
  // A connection in use rejects the query of its user; without a listener Node would end the process besides.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Numbers and truths as SQLite gives them. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [16, (text) => (text === 't' ? 1 : 0)],
  [20, Number],
  [1700, Number],
])

async function checkServer(db: AnyDb, { onUnboundRole }: PostgresOptions): Promise<void> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding, current_schema() as schema, current_user as role,
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as is_unbound`.execute(db)
  const { version, number, encoding, schema, role, is_unbound } = rows[0]!
  if (number < OLDEST_VERSION * 10_000)
    throw new PostgresUnusableError(`it is version ${version}. Docent needs ${OLDEST_VERSION} or newer`)
  if (encoding !== 'UTF8')
    throw new PostgresUnusableError(
      `its database is encoded in ${encoding}. Make one with: create database NAME encoding 'UTF8' template template0`,
    )
  if (schema === null)
    throw new PostgresUnusableError(
      'no schema of the search path exists for this role. Create one, for instance: create schema docent authorization ROLE',
    )
  if (is_unbound) onUnboundRole?.(role)
}

interface Server {
  version: string
  number: number
  encoding: string
  schema: string | null
  role: string
  is_unbound: 0 | 1
}
