import { PostgresAdapter, sql } from 'kysely'
import type { Db } from '../../../src/db.ts'
import type { TaskKind } from '../../../src/queue/catalog.ts'

export interface StoredTask {
  kind: string
  payload: any
  state: 'waiting' | 'running' | 'dead'
  /** Error of the last attempt that failed. */
  error: string | null
}

/**
 * The background tasks of a server, whatever keeps them: a table or pg-boss. Those of earlier transactions come first.
 * @param db one that sees all rows
 */
export async function tasksOf(db: Db, kind?: TaskKind): Promise<StoredTask[]> {
  const tasks = keptByPgBoss(db) ? await jobs(db) : await rows(db)
  return kind ? tasks.filter((task) => task.kind === kind) : tasks
}

/** Makes all tasks due since then. */
export async function makeDue(db: Db, since: Date): Promise<void> {
  if (keptByPgBoss(db)) await sql`update pgboss.job set start_after = ${since}`.execute(db)
  else await db.updateTable('task').set({ run_at: since.toISOString() }).execute()
}

const keptByPgBoss = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter

async function rows(db: Db): Promise<StoredTask[]> {
  const tasks = await db.selectFrom('task').selectAll().orderBy('id').execute()
  return tasks.map(({ kind, payload, state, last_error }) => ({
    kind,
    payload: JSON.parse(payload),
    state,
    error: last_error,
  }))
}

async function jobs(db: Db): Promise<StoredTask[]> {
  const { rows } = await sql<StoredTask>`
    select case when name = 'docent.dead' then data->>'kind' else name end as kind, data->'payload' as payload,
      case when name = 'docent.dead' then 'dead' when state = 'active' then 'running' else 'waiting' end as state,
      coalesce(data->>'error', output->>'message') as error
    from pgboss.job order by created_on, id`.execute(db)
  return rows
}
