import { sql } from 'kysely'
import type { Db, Tables, Tx } from '../db.ts'
import { anyLimit } from '../platform/database/any-limit.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import { prepared } from '../platform/database/statements/prepared.ts'
import type { TaskKind } from './catalog.ts'

export interface NewTask {
  id: string
  kind: string
  payload: string
  runAt: string
  createdAt: string
}

interface ClaimedRow {
  id: string
  organizationId: string
  payload: string
  attempt: number
}

interface HeldTask {
  id: string
  attempt: number
}

const insertRow = prepared<Tables, NewTask & { organizationId: string }, unknown>((db, task) =>
  db.insertInto('task').values({
    id: task.id,
    organization_id: task.organizationId,
    kind: task.kind,
    payload: task.payload,
    state: 'waiting',
    attempt: 0,
    run_at: task.runAt,
    lease_until: null,
    last_error: null,
    created_at: task.createdAt,
  }),
)

export async function insertTask(tx: Tx, organizationId: string, task: NewTask): Promise<void> {
  await insertRow(tx, { organizationId, ...task })
}

interface Claim {
  kind: string
  limit: number
  now: string
  leaseUntil: string
}

/**
 * States are written out: SQLite plans a statement again at every call in which a parameter decides about a partial
 * index.
 */
const claimRows = prepared<Tables, Claim, ClaimedRow>((db, { kind, limit, now, leaseUntil }) => {
  const due = db
    .selectFrom('task')
    .select('id')
    .where('kind', '=', kind)
    .where((where) =>
      where.or([
        where.and([where('state', '=', sql.lit('waiting')), where('run_at', '<=', now)]),
        where.and([where('state', '=', sql.lit('running')), where('lease_until', '<', now)]),
      ]),
    )
    .orderBy('run_at')
    .orderBy('id')
    .limit(anyLimit(limit))
  return acrossOrganizations(db)
    .updateTable('task')
    .set({ state: 'running', attempt: sql`attempt + 1`, lease_until: leaseUntil })
    .where('id', 'in', due)
    .returning(['id', 'organization_id as organizationId', 'payload', 'attempt'])
})

/** Takes up to `limit` tasks that are due, or whose holder let the lease run out, of all organizations. */
export const claimTasks = async (tx: Tx, claim: Claim): Promise<ClaimedRow[]> => (await claimRows(tx, claim)).rows

interface ClaimBeside extends Claim {
  /** Ids of the tasks that stay where they are. */
  except: string[]
}

/** Takes up to `limit` tasks that wait and are due, of other organizations than these. */
export async function claimTasksBeside(tx: Tx, { except, ...claim }: ClaimBeside): Promise<ClaimedRow[]> {
  const claimed: ClaimedRow[] = []
  for (let after = ''; claimed.length < claim.limit; ) {
    const waiting = selectWaiting(tx, claim).select('organization_id').where('organization_id', '>', after)
    const next = await waiting.orderBy('organization_id').limit(1).executeTakeFirst()
    if (!next) break
    after = next.organization_id
    if (except.includes(after)) continue
    const due = selectWaiting(tx, claim)
      .select('id')
      .where('organization_id', '=', after)
      .orderBy('run_at')
      .limit(claim.limit - claimed.length)
    const rows = await tx
      .updateTable('task')
      .set({ state: 'running', attempt: sql`attempt + 1`, lease_until: claim.leaseUntil })
      .where('organization_id', '=', after)
      .where('id', 'in', due)
      .returning(['id', 'organization_id as organizationId', 'payload', 'attempt'])
      .execute()
    claimed.push(...rows)
  }
  return claimed
}

/**
 * The state is written out, as in its index, which finds one organization after the other without reading their tasks.
 */
const selectWaiting = (tx: Tx, { kind, now }: Claim) =>
  acrossOrganizations(tx)
    .selectFrom('task')
    .where('kind', '=', kind)
    .where('state', '=', sql.lit('waiting'))
    .where('run_at', '<=', now)

const held = { state: 'running' } as const

/** @returns false when another attempt has taken over: the holder must write nothing more. */
export async function extendLease(
  db: Db,
  organizationId: string,
  task: HeldTask,
  leaseUntil: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set({ lease_until: leaseUntil })
    .where('organization_id', '=', organizationId)
    .where('id', '=', task.id)
    .where('attempt', '=', task.attempt)
    .where('state', '=', held.state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether this attempt still holds the task. */
export async function isHeld(tx: Tx, organizationId: string, task: HeldTask): Promise<boolean> {
  const row = await tx
    .selectFrom('task')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', task.id)
    .where('attempt', '=', task.attempt)
    .where('state', '=', held.state)
    .executeTakeFirst()
  return row !== undefined
}

const deleteRow = prepared<Tables, HeldTask & { organizationId: string }, unknown>((db, task) =>
  db
    .deleteFrom('task')
    .where('organization_id', '=', task.organizationId)
    .where('id', '=', task.id)
    .where('attempt', '=', task.attempt),
)

export async function finishTask(tx: Tx, organizationId: string, { id, attempt }: HeldTask): Promise<void> {
  await deleteRow(tx, { organizationId, id, attempt })
}

/** Puts a failed task back until `runAt`, or among the dead when there is no time to try it again. */
export async function returnTask(
  tx: Tx,
  organizationId: string,
  task: HeldTask,
  { runAt, error }: { runAt: string | undefined; error: string },
): Promise<void> {
  await tx
    .updateTable('task')
    .set({ state: runAt ? 'waiting' : 'dead', lease_until: null, last_error: error, ...(runAt && { run_at: runAt }) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', task.id)
    .where('attempt', '=', task.attempt)
    .execute()
}

/** Puts a task back that its holder let go of without having failed: the attempt does not count. */
export async function releaseTask(tx: Tx, organizationId: string, task: HeldTask): Promise<void> {
  await tx
    .updateTable('task')
    .set({ state: 'waiting', lease_until: null, attempt: task.attempt - 1 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', task.id)
    .where('attempt', '=', task.attempt)
    .where('state', '=', 'running')
    .execute()
}

/** Time at which the first waiting task of each of these kinds is due, and at which the first lease ends. */
export async function nextDue(db: Db, kinds: TaskKind[]): Promise<{ kind: TaskKind; at: string }[]> {
  const first = (state: 'waiting' | 'running', column: 'run_at' | 'lease_until') =>
    acrossOrganizations(db)
      .selectFrom('task')
      .select(['kind', (select) => select.fn.min(column).as('at')])
      .where('state', '=', sql.lit(state))
      .where('kind', 'in', kinds)
      .groupBy('kind')
      .execute()
  const rows = [...(await first('waiting', 'run_at')), ...(await first('running', 'lease_until'))]
  return rows.flatMap(({ kind, at }) => (at ? [{ kind: kind as TaskKind, at }] : []))
}

/** All tasks, by kind and state, with the earliest time at which one of them is to run. */
export async function countTasks(db: Db) {
  const rows = await acrossOrganizations(db)
    .selectFrom('task')
    .select(['kind', 'state', (select) => select.fn.countAll<number>().as('count')])
    .select((select) => select.fn.min('run_at').as('firstRunAt'))
    .groupBy(['state', 'kind'])
    .execute()
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
}

/**
 * Releases every running task: a server that has the data directory to itself finds only those of a process that is
 * gone.
 */
export async function releaseAllTasks(db: Db): Promise<void> {
  await acrossOrganizations(db)
    .updateTable('task')
    .set({ state: 'waiting', lease_until: null })
    .where('state', '=', 'running')
    .execute()
}

/** JSON of what those of a kind were given that wait or run, of all organizations. */
export async function listLivePayloads(db: Db, kind: TaskKind): Promise<string[]> {
  const rows = await acrossOrganizations(db)
    .selectFrom('task')
    .select('payload')
    .where('state', 'in', ['waiting', 'running'])
    .where('kind', '=', kind)
    .execute()
  return rows.map(({ payload }) => payload)
}

/** Tasks that have failed and are not tried again, newest first. */
export const listDeadTasks = (db: Db, organizationId: string) =>
  db
    .selectFrom('task')
    .select(['id', 'kind', 'payload', 'attempt', 'last_error', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'dead')
    .orderBy('id', 'desc')
    .execute()

/** Gives dead tasks all their attempts again. @returns how many. */
export async function reviveDeadTasks(db: Db, organizationId: string, now: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set({ state: 'waiting', attempt: 0, run_at: now })
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'dead')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
