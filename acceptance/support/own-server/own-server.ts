import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startCluster } from '../../../server/tests/support/processes/cluster.ts'
import { bareEnv, launchServer } from '../../../server/tests/support/processes/launch-server.ts'
import type { Target } from '../target.ts'
import { startModelServer } from './model-server.ts'

const ADMIN = fileURLToPath(new URL('../../../tools/admin.mjs', import.meta.url))
/** Smaller than by default, so that a file over it is quickly sent. */
export const LARGEST_UPLOAD_BYTES = 2 * 1024 * 1024
const METRICS_TOKEN = 'metrics-of-the-acceptance-suite'

/** A running server: its URL, and how to end it. */
interface Running {
  url: string
  /** URLs of every process. */
  processes: string[]
  /** Settings with which operators' commands find the server's data. */
  settings: Record<string, string>
  stop(): Promise<void>
}

/**
 * The server as operators run it, bundled and without data, with two organizations and a scripted model.
 * @param postgresUrl of the superuser of a PostgreSQL server: then two api and two worker processes on it and on S3,
 * behind a proxy, instead of one process on the embedded database
 */
export async function startOwnServer(
  settings: Record<string, string> = {},
  postgresUrl?: string,
): Promise<{ target: Target; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-acceptance-'))
  const model = await startModelServer()
  let running: Running | undefined
  const stop = async () => {
    await running?.stop()
    model.close()
    // Children of the server that read documents may still write for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  const sourcesRoot = join(folder, 'sources')
  const all = {
    HOST: '127.0.0.1',
    DOCENT_RATE_LIMIT: '0',
    DOCENT_FAILED_ATTEMPTS: '0',
    DOCENT_MAX_UPLOAD_BYTES: String(LARGEST_UPLOAD_BYTES),
    DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
    DOCENT_METRICS_TOKEN: METRICS_TOKEN,
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_WEBHOOK_RETRY_DELAYS: '0.2,0.2',
    DOCENT_DIRECTORY_ROOTS: sourcesRoot,
    ...settings,
  }
  try {
    await mkdir(sourcesRoot)
    running = postgresUrl ? await startMany(all, postgresUrl) : await startOne(all, folder)
    // One after the other: each of them writes to the database of the running server.
    const env = { ...running.settings, DATA_DIR: join(folder, 'data') }
    const key = await createOrganization('Acceptance A', env)
    const otherKey = await createOrganization('Acceptance B', env)
    const target: Target = {
      url: running.url,
      key,
      otherKey,
      model: all.DOCENT_MODEL,
      callbackHost: '127.0.0.1',
      sourcesRoot,
      isOwn: true,
      processes: running.processes,
      metricsToken: METRICS_TOKEN,
      postgresUrl,
    }
    return { target, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startOne(settings: Record<string, string>, folder: string): Promise<Running> {
  const server = await launchServer({ ...settings, DATA_DIR: join(folder, 'data') })
  const stop = async () => void (await server.end('SIGKILL'))
  return { url: server.url, processes: [server.url], settings, stop }
}

async function startMany(settings: Record<string, string>, adminUrl: string): Promise<Running> {
  const cluster = await startCluster({ adminUrl, settings })
  const processes = [...cluster.apis, ...cluster.workers].map(({ url }) => url)
  return { url: cluster.url, processes, settings: cluster.settings, stop: cluster.close }
}

async function createOrganization(name: string, settings: Record<string, string>): Promise<string> {
  const args = [ADMIN, 'create-organization', name]
  const env = { ...bareEnv(), ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout).api_key
}
