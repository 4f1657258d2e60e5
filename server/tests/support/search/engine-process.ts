import { toConfig } from '../../../src/config.ts'
import type { Tables } from '../../../src/db.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { type RunExclusive, runExclusiveAmong } from '../../../src/platform/cluster/locks/run-exclusive.ts'
import { createSharedSemaphore } from '../../../src/platform/cluster/locks/shared-semaphore.ts'
import { openPostgres } from '../../../src/platform/database/postgres/postgres.ts'
import { createIds } from '../../../src/platform/ids.ts'
import type { SearchEngine } from '../../../src/search/engine.ts'
import { LanceEngine } from '../../../src/search/lance/lance-engine.ts'
import { openStorage } from '../../../src/storage.ts'

/** Asked by `startEngineProcess`: a method of the engine and its arguments. */
export interface EngineCall {
  id: number
  method: keyof SearchEngine
  args: unknown[]
}

export interface EngineReply {
  id?: number
  result?: unknown
  /** Error of the engine; without an id: of its background work. */
  error?: string
}

const tell = (reply: EngineReply) => process.send!(reply)

const { dataDir, s3, database } = toConfig(process.env)
const storage = await openStorage({ dataDir, s3, isShared: true })
const engine = new LanceEngine({
  ...storage.search,
  shared: true,
  runExclusive: await joinProcesses(),
  onBackgroundError: (error) => tell({ error: String(error) }),
})

/** Becomes one of the live processes of the installation, as a server does at its start. */
async function joinProcesses(): Promise<RunExclusive> {
  const { db } = await openPostgres<Tables>(database.postgres!, migrations)
  const id = createIds()()
  const at = new Date().toISOString()
  const row = {
    id,
    role: 'all',
    host: 'x',
    pid: process.pid,
    beat: 0,
    beat_at: at,
    started_at: at,
    ended_by: null,
  } as const
  await db.insertInto('server_process').values(row).execute()
  return runExclusiveAmong(createSharedSemaphore(db, id, 1))
}

process.on('message', ({ id, method, args }: EngineCall) => {
  const call = engine[method] as (...args: unknown[]) => Promise<unknown>
  call.apply(engine, args).then(
    (result) => tell({ id, result }),
    (error) => tell({ id, error: String(error) }),
  )
})
tell({ id: 0 })
