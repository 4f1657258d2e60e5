import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../server/tests/support/database/postgres-server.ts'
import { createChildren } from './http/children.ts'
import { startModel } from './http/servers.ts'
import { measureCosts } from './scale/costs.ts'
import { type Ground, startS3 } from './scale/installation.ts'
import { markdown } from './scale/markdown.ts'
import { LOADS, measureThroughput } from './scale/throughput.ts'
import { measureTrips } from './scale/trips.ts'

const PARTS = [...LOADS, 'trips', 'costs'] as const

/**
 * Docent on one process with its own database, and on 1, 2 and 4 processes that share PostgreSQL and S3, beside a floor of
 * bare Node over `pg`: what goes through and who pays for it; what a query, a page of history and a file cost the
 * database; and what a chat leaves there. All runs on this machine, the bench and a scripted model too, so that the sum of
 * what they use is the limit.
 *
 *     npm run bench -- scale [--secs 4] [--processes 1,2,4] [--only query,history,files,trips,costs]
 *
 * Prints Markdown tables. An answer that is not right ends it.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      secs: { type: 'string', default: '4' },
      processes: { type: 'string', default: '1,2,4' },
      only: { type: 'string', default: PARTS.join(',') },
    },
  })
  const only = values.only.split(',')
  const isAsked = (part: (typeof PARTS)[number]) => only.includes(part)
  if (only.some((part) => !(PARTS as readonly string[]).includes(part))) throw new Error(`--only ${PARTS.join(',')}`)
  const workDir = await mkdtemp(join(tmpdir(), 'docent-bench-scale-'))
  const cleanUp = () => rm(workDir, { recursive: true, force: true, maxRetries: 10 })
  const children = createChildren(cleanUp)
  // As an operator runs it: what is committed is on disk.
  const postgres = await startPostgres(['shared_preload_libraries=pg_stat_statements', 'shared_buffers=512MB'])
  try {
    const [model, s3] = await Promise.all([startModel(children), startS3(children)])
    const ground: Ground = { children, model, postgres, s3, workDir }
    const counts = values.processes.split(',').map(Number)
    const loads = LOADS.filter(isAsked)
    if (loads.length > 0)
      console.log(markdown(await measureThroughput(ground, { counts, loads, seconds: Number(values.secs) })))
    if (isAsked('trips')) console.log(`\n${markdown(await measureTrips(ground))}`)
    if (isAsked('costs')) for (const table of await measureCosts(ground)) console.log(`\n${markdown(table)}`)
  } finally {
    await children.endAll()
    await postgres.stop()
    await cleanUp()
  }
}
