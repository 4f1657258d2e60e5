import type { Tables, Tx } from '../db.ts'
import type { Database } from '../platform/database/open.ts'
import type { Snapshot } from '../platform/database/snapshot.ts'
import type { NewId } from '../platform/ids.ts'
import type { Logger } from '../platform/telemetry/logger.ts'

/** A task as it is carried from one installation to another, whose queue may be another one. */
export interface CopiedTask {
  organizationId: string
  kind: string
  payload: unknown
  /** It has failed, after `attempts`, and is not tried again. Others get all their attempts again. */
  isDead: boolean
  attempts: number
  error: string | null
  /** ISO times; nobody takes it before `runAt`. */
  runAt: string
  createdAt: string
}

/** Reads tasks that wait, run or are dead, always in the same order. A running one waits in the copy. */
export async function* readTasks(snapshot: Snapshot): AsyncGenerator<CopiedTask[]> {
  if (snapshot.kind === 'postgres') {
    const { readJobs } = await import('./pg-boss/copied-jobs.ts')
    return yield* readJobs(snapshot)
  }
  const statement = `select organization_id, kind, payload, state, attempt, last_error, run_at, created_at from task order by id`
  for await (const rows of snapshot.stream(statement)) {
    yield rows.map(([organizationId, kind, payload, state, attempt, error, runAt, createdAt]) => ({
      organizationId: organizationId as string,
      kind: kind as string,
      payload: JSON.parse(payload as string),
      isDead: state === 'dead',
      attempts: state === 'dead' ? (attempt as number) : 0,
      error: state === 'dead' ? (error as string | null) : null,
      runAt: runAt as string,
      createdAt: createdAt as string,
    }))
  }
}

export interface TaskWriter {
  /** Queues them in the transaction of what they belong to. */
  write(tx: Tx, tasks: CopiedTask[]): Promise<void>
  close(): Promise<void>
}

/** @throws DatabaseUnusableError when the role may not make the tables of PostgreSQL's queue */
export async function openTaskWriter(
  database: Database<Tables>,
  { newId, logger }: { newId: NewId; logger: Logger },
): Promise<TaskWriter> {
  if (database.kind === 'postgres')
    return (await import('./pg-boss/copied-jobs.ts')).openJobWriter(database.pool, logger)
  return {
    async write(tx, tasks) {
      const rows = tasks.map((task) => ({
        id: newId(),
        organization_id: task.organizationId,
        kind: task.kind,
        payload: JSON.stringify(task.payload),
        state: task.isDead ? ('dead' as const) : ('waiting' as const),
        attempt: task.attempts,
        run_at: task.runAt,
        lease_until: null,
        last_error: task.error,
        created_at: task.createdAt,
      }))
      await tx.insertInto('task').values(rows).execute()
    },
    async close() {},
  }
}
