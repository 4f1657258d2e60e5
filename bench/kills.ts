import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDatabase, startPostgres } from '../server/tests/support/database/postgres-server.ts'
import { createChildren } from './http/children.ts'
import { runKills } from './kills/run-kills.ts'

/**
 * Asynchronous queries over many kills: what is lost, delivered twice or out of order, as seen from outside.
 *
 *     npm run bench -- kills [--queries 2000] [--kills 50] [--chats 40] [--postgres new|URL] [--processes 1]
 *
 * Without `--postgres` on the embedded database; with it on a PostgreSQL server of its own that syncs to disk (`new`), or
 * on the database named, which must be empty. The exit code is 1 when a promise was broken.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      queries: { type: 'string', default: '2000' },
      kills: { type: 'string', default: '50' },
      chats: { type: 'string', default: '40' },
      postgres: { type: 'string' },
      processes: { type: 'string', default: '1' },
    },
  })
  if (Number(values.processes) > 1 && values.postgres === undefined)
    throw new Error('Several processes need a database that they can share: --postgres new')
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-bench-kills-'))
  const cleanUp = () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  const children = createChildren(cleanUp)
  const postgres = values.postgres === 'new' ? await startPostgres([]) : undefined
  const database = postgres ? await createDatabase(postgres.adminUrl) : values.postgres
  const startedAt = performance.now()
  try {
    const result = await runKills({
      children,
      dataDir,
      queries: Number(values.queries),
      kills: Number(values.kills),
      chats: Number(values.chats),
      processes: Number(values.processes),
      settings: database === undefined ? {} : { DATABASE_URL: database },
    })
    const done = { processes: Number(values.processes), kills: Number(values.kills) }
    for (const [name, value] of Object.entries({ ...done, ...result }))
      console.log(`${name.padEnd(16)}${String(value).padStart(6)}`)
    console.log(`in ${Math.round((performance.now() - startedAt) / 1000)} s`)
    const { lost, doubled, wrong, outOfOrder, forgetful, misplaced } = result
    if (lost + doubled + wrong + outOfOrder + forgetful + misplaced > 0) process.exitCode = 1
  } finally {
    await children.endAll()
    await postgres?.stop()
    await cleanUp()
  }
}
