import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Children } from '../http/children.ts'

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const READY = /^Docent is ready at (\S+)$/

export interface KilledServer {
  url: string
  kill(): Promise<void>
}

/** Starts the server from its sources. @throws when it ends before it is ready */
export async function startKilled(
  children: Children,
  cwd: string,
  settings: Record<string, string>,
): Promise<KilledServer> {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', DOCENT_SAMPLE: 'false', ...settings }
  const child = children.start(process.execPath, [MAIN], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, url] = READY.exec(line) ?? []
    if (!url) continue
    child.stdout!.resume()
    return {
      url,
      async kill() {
        child.kill('SIGKILL')
        await exited
      },
    }
  }
  throw new Error('the server ended before it was ready')
}
