import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, dropDatabase } from '../database/postgres-server.ts'
import { type PlainProxy, startPlainProxy } from '../http/plain-proxy.ts'
import { startS3Server } from '../storage/s3-server.ts'
import { launchServer, type ServerProcess } from './launch-server.ts'

export interface Cluster {
  /** URL of the proxy before the api processes. */
  url: string
  proxy: PlainProxy
  /** Processes in the order of their starts, including those that were ended. */
  apis: ServerProcess[]
  workers: ServerProcess[]
  /** Settings of every process except DATA_DIR, of which each has its own, and DOCENT_ROLE. */
  settings: Record<string, string>
  /** One more process, to which the proxy sends requests, too. */
  startApi(): Promise<ServerProcess>
  startWorker(): Promise<ServerProcess>
  close(): Promise<void>
}

/**
 * Processes of one installation on an empty PostgreSQL database and an empty bucket, behind a plain proxy. They share
 * nothing else: each has a DATA_DIR of its own. The caller closes it.
 * @param adminUrl of the PostgreSQL server
 */
export async function startCluster({
  adminUrl,
  apis = 2,
  workers = 2,
  settings: given = {},
}: {
  adminUrl: string
  apis?: number
  workers?: number
  settings?: Record<string, string>
}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-cluster-'))
  const s3 = await startS3Server()
  const database = await createDatabase(adminUrl)
  const targets: string[] = []
  const proxy = await startPlainProxy(targets)
  const settings = { DATABASE_URL: database, ...s3.settings(), DOCENT_PUBLIC_URL: proxy.url, ...given }
  const running: Record<'api' | 'worker', ServerProcess[]> = { api: [], worker: [] }
  const ends: ServerProcess['end'][] = []
  let started = 0

  async function launch(role: 'api' | 'worker'): Promise<ServerProcess> {
    const dataDir = join(folder, `${role}-${++started}`)
    const own = { DATA_DIR: dataDir, DOCENT_ROLE: role }
    const server = await launchServer({ ...settings, ...own }, (end) => ends.push(end))
    running[role].push(server)
    if (role === 'api') targets.push(server.url)
    return server
  }

  async function close() {
    await Promise.all(ends.map((end) => end('SIGKILL')))
    await Promise.all([proxy.close(), s3.close()])
    await dropDatabase(adminUrl, database)
    // Children of the servers that read documents may still write for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }

  // All at once, as an orchestrator would: the first start on an empty database is theirs to sort out.
  const starts = await Promise.allSettled([
    ...Array.from({ length: apis }, () => launch('api')),
    ...Array.from({ length: workers }, () => launch('worker')),
  ])
  const failure = starts.find((start) => start.status === 'rejected')
  if (failure) {
    await close()
    throw failure.reason
  }
  return {
    url: proxy.url,
    proxy,
    apis: running.api,
    workers: running.worker,
    settings,
    startApi: () => launch('api'),
    startWorker: () => launch('worker'),
    close,
  }
}
