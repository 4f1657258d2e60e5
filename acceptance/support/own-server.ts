import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startModelServer } from './model-server.ts'
import type { Target } from './target.ts'

const source = (name: string) => fileURLToPath(new URL(`../../server/src/${name}`, import.meta.url))
/** Smaller than by default, so that a file over it is quickly sent. */
export const LARGEST_UPLOAD_BYTES = 2 * 1024 * 1024
const READY = /^Docent is ready at (\S+)$/

/** The server as operators run it, with an empty data directory, two organizations and a scripted model. */
export async function startOwnServer(
  settings: Record<string, string> = {},
): Promise<{ target: Target; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-acceptance-'))
  const model = await startModelServer()
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    DATA_DIR: join(folder, 'data'),
    DOCENT_SAMPLE: 'false',
    DOCENT_RATE_LIMIT: '0',
    DOCENT_MAX_UPLOAD_BYTES: String(LARGEST_UPLOAD_BYTES),
    DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
    OPENAI_COMPATIBLE_BASE_URL: model.url,
    DOCENT_MODEL: 'openai-compatible/scripted',
    DOCENT_WEBHOOK_RETRY_DELAYS: '0.2,0.2',
    DOCENT_DIRECTORY_ROOTS: join(folder, 'sources'),
    ...settings,
  }
  await mkdir(env.DOCENT_DIRECTORY_ROOTS)
  const child = spawn(process.execPath, [source('main.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    model.close()
    // Children of the server that read documents may still write for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  try {
    const url = await readyAt(child.stdout)
    // One after the other: each of them writes to the database of the running server.
    const key = await createOrganization('Acceptance A', env)
    const otherKey = await createOrganization('Acceptance B', env)
    const target = {
      url,
      key,
      otherKey,
      model: env.DOCENT_MODEL,
      callbackHost: '127.0.0.1',
      sourcesRoot: env.DOCENT_DIRECTORY_ROOTS,
      isOwn: true,
    }
    return { target, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readyAt(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = READY.exec(line)?.[1]
    if (!url) continue
    output.resume()
    return url
  }
  throw new Error('The server ended before it was ready')
}

async function createOrganization(name: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = [source('admin.ts'), 'create-organization', name]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout).api_key
}
