import { sql } from 'kysely'
import { type AnyDb, acrossOrganizations } from '../statements/across-organizations.ts'

/** Growth at which statistics are taken again, as a factor; they cost 50 KB of WAL per table. */
const MOST_GROWTH = 4
const LOOK_EVERY_MS = 1_000
/** PostgreSQL itself looks once a minute, by default. */
const WATCHED_FOR_MS = 120_000
/** Size above which a table is left alone: it was filled deliberately, and analyzing it takes time. */
const MOST_BYTES = 64 * 1024 ** 2

/**
 * Keeps the statistics of a new database up to date in its first minutes, until PostgreSQL does so itself. A plan that
 * was made for an empty table is kept for as long as nothing is known of the table, and reads all of it: under load a
 * query then costs PostgreSQL twice as much after a few seconds, and more with each one.
 * @returns a function that ends it
 */
export function watchYoungTables(db: AnyDb): () => void {
  const until = performance.now() + WATCHED_FOR_MS
  let isLooking = false
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const isYoung = await analyzeGrownTables(acrossOrganizations(db))
      if (!isYoung || performance.now() > until) end()
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => {
    // A failure concerns nobody: the plans stay as they are.
    look().catch(() => {})
  }, LOOK_EVERY_MS)
  timer.unref()
  const end = () => clearInterval(timer)
  return end
}

interface Grown {
  name: string
  is_left_to_itself: 0 | 1
  has_grown: 0 | 1
}

/** @returns whether PostgreSQL has not done so itself yet */
async function analyzeGrownTables(db: AnyDb): Promise<boolean> {
  const { rows } = await sql<Grown>`
    select relid::regclass::text as name, last_autoanalyze is null as is_left_to_itself,
      n_mod_since_analyze > 50 + ${MOST_GROWTH} * reltuples and pg_relation_size(relid) < ${MOST_BYTES} as has_grown
    from pg_stat_user_tables join pg_class on oid = relid where schemaname = current_schema()`.execute(db)
  if (rows.some(({ is_left_to_itself }) => !is_left_to_itself)) return false
  const grown = rows.filter(({ has_grown }) => has_grown).map(({ name }) => name)
  if (grown.length > 0) await sql`analyze (skip_locked) ${sql.raw(grown.join(', '))}`.execute(db)
  return true
}
