import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setup as buildUi } from './build.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface RunningDocent {
  url: string
  /** Key of the owner. */
  apiKey: string
  dataDir: string
  /** Kills the process at once. */
  kill(): Promise<void>
  /** Starts it again, on the same data and port. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts the server with the built UI, in its own process and data directory. @param settings environment variables */
export async function startDocent(settings: Record<string, string> = {}): Promise<RunningDocent> {
  await buildUi()
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-web-'))
  let running = await run(dataDir, settings)
  const { url } = running
  return {
    url,
    apiKey: (await readFile(join(dataDir, 'owner-key'), 'utf8')).trim(),
    dataDir,
    kill: () => running.end('SIGKILL'),
    async start() {
      running = await run(dataDir, { ...settings, PORT: new URL(url).port })
    },
    async stop() {
      await running.end('SIGTERM')
      // The process may still be storing its compiled code.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

interface Process {
  url: string
  end(signal: NodeJS.Signals): Promise<void>
}

async function run(dataDir: string, settings: Record<string, string>): Promise<Process> {
  const child = spawn(process.execPath, [join(root, 'tools/serve.mjs')], {
    cwd: dataDir,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const url = await Promise.race([readyUrl(child.stdout), exit.then(() => undefined)])
  if (!url) throw new Error('The server ended before it was ready')
  return {
    url,
    async end(signal) {
      child.kill(signal)
      await exit
    },
  }
}

async function readyUrl(output: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: output })) {
    const url = /^Docent is ready at (\S+)$/.exec(line)?.[1]
    if (!url) continue
    // Later output must not fill the pipe.
    output.resume()
    return url
  }
  return undefined
}
