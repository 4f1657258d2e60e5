import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import type { Db, Writes } from '../../../src/db.ts'
import { createLocalPubSub } from '../../../src/platform/cluster/pubsub/pubsub.ts'
import { createIds } from '../../../src/platform/ids.ts'
import { openQueue } from '../../../src/queue/open-queue.ts'
import { releaseAllTasks } from '../../../src/queue/queue.store.ts'
import { LEASE_MS, type WorkedQueue } from '../../../src/queue/queue.ts'
import { manualClock } from '../clock.ts'
import { isOnPostgres, startTestDatabase, temporaryFolder } from '../database/database.ts'
import { readyDatabase } from '../database/postgres.ts'
import { joinPgBoss, queueLogger } from './join-pg-boss.ts'

export type QueueName = 'the table' | 'pg-boss'

/** The table is the embedded database's; on PostgreSQL nothing works it. */
export const QUEUES: QueueName[] = isOnPostgres ? ['pg-boss'] : ['the table', 'pg-boss']

/** A task as a test sees it, whatever keeps it. */
interface SeenTask {
  state: 'waiting' | 'running' | 'dead'
  /** Attempts that were begun and count. */
  attempt: number
  error: string | null
  leaseMs: number | null
}

export interface TestQueue {
  queue: WorkedQueue
  db: Db
  writes: Writes
  clock: ReturnType<typeof manualClock>
  /** Tasks in the order of their creation. */
  tasks(): Promise<SeenTask[]>
  /** Time goes by, and no timer notices: as if this process stood still. */
  lapse(ms: number): Promise<void>
  /** Everything is closed; what comes back is the same queue, opened again. */
  reopen(): Promise<TestQueue>
  /** Place for a process that wants to take part. */
  place: string
}

/** A queue whose clock only moves when a test says so. @param place of one that another process had */
export const openTestQueue = (name: QueueName, place?: string): Promise<TestQueue> =>
  name === 'the table' ? openTable(place, manualClock(place && new Date().toISOString())) : openPgBoss(place)

async function openTable(dataDir?: string, clock = manualClock()): Promise<TestQueue> {
  const { db, writes, close, ...database } = await startTestDatabase(dataDir)
  const queue = await openQueue({
    database: { kind: 'embedded', db, writes, close },
    newId: createIds(),
    clock,
    pubsub: createLocalPubSub(),
    logger: queueLogger,
  })
  // As a server does that starts.
  await releaseAllTasks(db)
  return {
    queue,
    db,
    writes,
    clock,
    async tasks() {
      const rows = await db.selectFrom('task').selectAll().orderBy('id').execute()
      return rows.map(({ state, attempt, last_error, lease_until }) => ({
        state,
        attempt,
        error: last_error,
        leaseMs: lease_until === null ? null : Date.parse(lease_until) - clock().getTime(),
      }))
    },
    lapse: async (ms) => clock.pass(ms),
    async reopen() {
      await close()
      return openTable(database.dataDir, clock)
    },
    place: database.dataDir,
  }
}

async function openPgBoss(url?: string): Promise<TestQueue> {
  const place = url ?? (await readyDatabase())
  const { pool, db, writes, queue, clock, close } = await joinPgBoss(place)
  onTestFinished(close)
  // The clock that pg-boss asks for everything.
  await pool.query('create table if not exists test_clock (now timestamptz)')
  if (!url) await pool.query('insert into test_clock values ($1)', [clock()])
  await pool.query(`
    create or replace function pgboss.job_now() returns timestamptz as
    $$ select now from public.test_clock $$ language sql stable`)
  return {
    queue,
    db,
    writes,
    clock,
    async tasks() {
      const { rows } = await pool.query<SeenTask>(
        `select case when name = 'docent.dead' then 'dead' when state = 'active' then 'running' else 'waiting' end as state,
            case when name = 'docent.dead' then (data->>'attempt')::int
              when state = 'created' then retry_count else retry_count + 1 end as attempt,
            coalesce(data->>'error', output->>'message') as error,
            (extract(epoch from heartbeat_on - pgboss.job_now()) * 1000)::int + $1 as "leaseMs"
          from pgboss.job order by created_on`,
        [LEASE_MS],
      )
      return rows
    },
    async lapse(ms) {
      clock.pass(ms)
      await pool.query(`update test_clock set now = now + $1 * interval '1 ms'`, [ms])
    },
    async reopen() {
      await close()
      return openPgBoss(place)
    },
    place,
  }
}

/** Another process with a worker on the same queue, which takes every `retrieval.index` task and never finishes it. */
export async function startHolder(name: QueueName, place = '') {
  const folder = place || (await temporaryFolder())
  const child = spawn(process.execPath, [fileURLToPath(new URL('queue-holder.ts', import.meta.url)), name, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    place: folder,
    /** Next line of the process: `ready`, then `holds N` with the number of the attempt for each task. */
    async says(): Promise<string | undefined> {
      return (await lines.next()).value
    },
    async kill(): Promise<void> {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Stops timers of this test's workers: from now on they run only when `advance` says so. */
export function holdTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Lets the database and the worker continue until something has come true. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 10_000; performance.now() < deadline; ) {
    if (await isTrue()) return
    await turn()
  }
  throw new Error('it never came true')
}

/** Long enough for everything that can happen without a timer. */
export async function settle(name: QueueName): Promise<void> {
  const deadline = performance.now() + (name === 'the table' ? 0 : 120)
  for (let turns = 0; turns < 50 || performance.now() < deadline; turns++) await turn()
}
