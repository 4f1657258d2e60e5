import { join } from 'node:path'
import { createDatabase, type PostgresServer } from '../../server/tests/support/database/postgres-server.ts'
import type { Children } from '../http/children.ts'
import { type Api, createApi } from '../http/client/api.ts'
import { type Server, startDocent, startScript } from '../http/servers.ts'

/** Shared parts of all installations of a run. */
export interface Ground {
  children: Children
  model: Server
  postgres: PostgresServer
  s3: { server: Server; settings: Record<string, string> }
  workDir: string
}

/** Processes with one database, ready to be asked. */
export interface Installation {
  processes: Server[]
  /** Every call goes to the next process, as behind a plain balancer. */
  api: Api
  /** Absent: the embedded one. */
  databaseUrl?: string
  end(): Promise<void>
}

export async function startS3(children: Children): Promise<Ground['s3']> {
  const server = await startScript(children, '../scale/s3.server.ts', [])
  return { server, settings: JSON.parse(server.url) }
}

let started = 0

/** One process with its own database and disk. */
export const startEmbedded = (ground: Ground): Promise<Installation> => start(ground, 1, () => ({}))

/**
 * Processes that serve and work, on a database of their own and the bucket that all use.
 * @param through the address that the processes are given instead of the database's own
 */
export async function startShared(
  ground: Ground,
  count: number,
  through: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<Installation> {
  const databaseUrl = await createDatabase(ground.postgres.adminUrl)
  const DATABASE_URL = await through(databaseUrl)
  const shared = { ...ground.s3.settings, DOCENT_S3_PREFIX: `bench-${started}`, DATABASE_URL }
  return { ...(await start(ground, count, () => shared)), databaseUrl }
}

/** Bare Node over `pg`, on a database of its own: what the same writes cost at least. */
export async function startFloor(
  { children, model, postgres }: Ground,
  mode: 'single' | 'batched',
  through: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<Installation> {
  const databaseUrl = await createDatabase(postgres.adminUrl)
  const server = await startScript(children, '../scale/floor.server.ts', [await through(databaseUrl), model.url, mode])
  const api = createApi(server.url)
  async function end() {
    api.close()
    await children.end(server.child)
  }
  return { processes: [server], api, databaseUrl, end }
}

async function start(
  { children, model, workDir }: Ground,
  count: number,
  settings: () => Record<string, string>,
): Promise<Installation> {
  const processes: Server[] = []
  for (let index = 0; index < count; index++) {
    const dataDir = join(workDir, `process-${started++}`)
    processes.push(await startDocent(children, { dataDir, modelUrl: model.url, settings: settings() }))
  }
  const apis = processes.map(({ url }) => createApi(url))
  let turn = 0
  const api = new Proxy(apis[0]!, {
    get: (_, name: keyof Api) => apis[turn++ % apis.length]![name],
  })
  async function end() {
    for (const one of apis) one.close()
    await Promise.all(processes.map(({ child }) => children.end(child)))
  }
  return { processes, api, end }
}
