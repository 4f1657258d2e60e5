import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { CommandResponse, Db as Sql } from 'pg-boss'
import type { Tx } from '../../db.ts'
import { untilThere } from '../../platform/database/patience.ts'
import { failed } from '../../platform/database/postgres/postgres-errors.ts'
import type { PayloadOf, TaskKind } from '../catalog.ts'
import type { ClaimedTask, DeadTask, TaskCount } from '../queue.ts'

/** Schema of pg-boss's tables: it makes and migrates them itself. */
export const SCHEMA = 'pgboss'
/** The queue of the dead: nobody takes anything out of it but an operator. */
export const DEAD = 'docent.dead'

/** Data of a job in `DEAD`. */
export interface DeadData {
  kind: TaskKind
  organizationId: string
  payload: unknown
  attempt: number
  error: string
  createdAt: string
}

/**
 * Values as pg-boss expects them, whatever the pool gives to others. What tasks ask for in patience runs again when the
 * database is back: statements that end a task name its attempt, so that they do nothing the second time.
 */
export const sqlOnPool = (pool: pg.Pool, types: pg.CustomTypesConfig): Sql => ({
  executeSql: (text, values) => untilThere(() => pool.query({ text, values, types }).catch(failed)),
})

export const sqlIn = (tx: Tx): Sql => ({
  executeSql: async (text, values = []) => ({
    rows: (await tx.executeQuery(CompiledQuery.raw(text, [...values]))).rows,
  }),
})

/** How many jobs a call changed and which, as pg-boss answers and its types leave out. */
export const changedBy = (response: CommandResponse): { affected: number; settled: string[] } => ({
  affected: 0,
  settled: [],
  ...response,
})

// The rest is what pg-boss has no call for.

/**
 * Locks the job against being deleted, which is how a lease ends, but not against being extended: transactions that ask
 * for several tasks never wait for each other.
 */
export async function isHeld(sql: Sql, { kind, id, attempt }: ClaimedTask): Promise<boolean> {
  const { rows } = await sql.executeSql(
    `select 1 from ${SCHEMA}.job where name = $1 and id = $2 and retry_count = $3 and state = 'active' for key share`,
    [kind, id, attempt - 1],
  )
  return rows.length > 0
}

/** Back to what it was before the claim: without a start, the next claim counts no further. */
export async function release(sql: Sql, { kind, id, attempt }: ClaimedTask): Promise<void> {
  await sql.executeSql(
    `update ${SCHEMA}.job set state = 'created', started_on = null, heartbeat_on = null
      where name = $1 and id = $2 and retry_count = $3 and state = 'active'`,
    [kind, id, attempt - 1],
  )
}

/** Time in ms until the first waiting task of each kind is due, and until the first lease ends. */
export async function nextDue(
  sql: Sql,
  kinds: TaskKind[],
): Promise<{ kind: TaskKind; waitingMs: number | null; leaseMs: number | null }[]> {
  const inMs = (time: string, state: string) =>
    `(extract(epoch from min(${time}) filter (where ${state}) - ${SCHEMA}.job_now()) * 1000)::float8`
  const { rows } = await sql.executeSql(
    `select name as kind, ${inMs('start_after', "state < 'active'")} as "waitingMs",
        ${inMs("heartbeat_on + heartbeat_seconds * interval '1s'", "state = 'active'")} as "leaseMs"
      from ${SCHEMA}.job where name = any($1) and state <= 'active' group by name`,
    [kinds],
  )
  return rows
}

export async function count(sql: Sql): Promise<TaskCount[]> {
  const { rows } = await sql.executeSql(
    `select case name when $1 then data->>'kind' else name end as kind,
        case when name = $1 then 'dead' when state = 'active' then 'running' else 'waiting' end as state,
        count(*)::int as count,
        (extract(epoch from ${SCHEMA}.job_now() - min(start_after)) * 1000)::float8 as "dueForMs"
      from ${SCHEMA}.job where state <= 'active' group by 1, 2`,
    [DEAD],
  )
  return rows
}

export async function listLive<K extends TaskKind>(sql: Sql, kind: K): Promise<PayloadOf<K>[]> {
  const { rows } = await sql.executeSql(
    `select data->'payload' as payload from ${SCHEMA}.job where name = $1 and state <= 'active'`,
    [kind],
  )
  return rows.map(({ payload }: { payload: PayloadOf<K> }) => payload)
}

export async function listDead(sql: Sql, organizationId: string): Promise<DeadTask[]> {
  const { rows } = await sql.executeSql(
    `select id, data from ${SCHEMA}.job where name = $1 and group_id = $2 order by created_on desc, id desc`,
    [DEAD, organizationId],
  )
  return rows.map(({ id, data }: { id: string; data: DeadData }) => ({
    id,
    kind: data.kind,
    payload: JSON.stringify(data.payload),
    attempt: data.attempt,
    last_error: data.error,
    created_at: data.createdAt,
  }))
}

/** Locked, so that nobody else revives them, too. */
export async function takeDead(sql: Sql, organizationId: string): Promise<{ id: string; data: DeadData }[]> {
  const { rows } = await sql.executeSql(
    `select id, data from ${SCHEMA}.job where name = $1 and group_id = $2 for update`,
    [DEAD, organizationId],
  )
  return rows
}
