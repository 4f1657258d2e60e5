import type pg from 'pg'
import type { Snapshot } from '../../platform/database/snapshot.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import type { TaskKind } from '../catalog.ts'
import type { CopiedTask, TaskWriter } from '../copied-tasks.ts'
import { DEAD, type DeadData, SCHEMA, sqlIn } from './own-sql.ts'
import { startBoss } from './start-boss.ts'

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The jobs of pg-boss as tasks; none where it was never started. */
export async function* readJobs(snapshot: Snapshot): AsyncGenerator<CopiedTask[]> {
  for await (const [[isThere] = []] of snapshot.stream(`select to_regclass('${SCHEMA}.job') is not null`))
    if (!isThere) return
  const statement = `select name, data::text, ${iso('start_after')}, ${iso('created_on')} from ${SCHEMA}.job
    where state <= 'active' order by created_on, id`
  for await (const rows of snapshot.stream(statement)) {
    yield rows.map(([name, data, runAt, createdAt]) => {
      const times = { runAt: runAt as string, createdAt: createdAt as string }
      if (name !== DEAD) {
        const { organizationId, payload } = JSON.parse(data as string)
        return { organizationId, kind: name as string, payload, isDead: false, attempts: 0, error: null, ...times }
      }
      const dead: DeadData = JSON.parse(data as string)
      const { organizationId, kind, payload, attempt, error, createdAt: madeAt } = dead
      return { organizationId, kind, payload, isDead: true, attempts: attempt, error, ...times, createdAt: madeAt }
    })
  }
}

export async function openJobWriter(pool: pg.Pool, logger: Logger): Promise<TaskWriter> {
  const boss = await startBoss(pool, logger)
  return {
    async write(tx, tasks) {
      const db = sqlIn(tx)
      for (const [name, ofName] of Map.groupBy(tasks, (task) => (task.isDead ? DEAD : task.kind)))
        await boss.insert(name, ofName.map(toJob), { db })
    },
    close: () => boss.stop({ graceful: false }),
  }
}

function toJob({ organizationId, kind, payload, isDead, attempts, error, runAt, createdAt }: CopiedTask) {
  const group = { id: organizationId }
  if (!isDead) return { data: { organizationId, payload }, group, startAfter: runAt }
  const data: DeadData = {
    kind: kind as TaskKind,
    organizationId,
    payload,
    attempt: attempts,
    error: error ?? '',
    createdAt,
  }
  return { data, group }
}
