import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Program that `npm start` runs in the end: the bundle, made by the run's setup. */
export const MAIN = fileURLToPath(new URL('../../../../tools/serve.mjs', import.meta.url))
/** Environment of a process in tests: the way to programs, and Node's cache of compiled code. */
export const bareEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
})

/** Program and arguments that run Node, after a shell said how many files it may have open. */
export const nodeWithin = (openFiles: number | undefined, args: string[]): [string, string[]] =>
  openFiles === undefined
    ? [process.execPath, args]
    : ['sh', ['-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath, ...args]]

const READY = /^Docent is ready at (\S+)$/

export interface ServerProcess {
  url: string
  pid: number
  /** Lines printed before it was ready. */
  lines: string[]
  /** Ends the process. @returns its exit code once it is gone, null if the signal was what ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * The server in a process of its own, which the caller ends.
 * @param onSpawned gets what ends it before it is ready, so that it goes with a test that gives up waiting
 * @param main what Node is told to run
 * @param openFiles how many files and connections it may have open, if not as many as this process
 * @throws when it ends before it is ready
 */
export async function launchServer(
  settings: Record<string, string>,
  onSpawned?: (end: ServerProcess['end']) => void,
  main = [MAIN],
  openFiles?: number,
): Promise<ServerProcess> {
  const env = {
    ...bareEnv(),
    PORT: '0',
    LOG_LEVEL: 'error',
    DOCENT_SAMPLE: 'false',
    DOCENT_OCR_DATA: 'off',
    ...settings,
  }
  const child = spawn(...nodeWithin(openFiles, main), { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return (await exited)[0]
  }
  onSpawned?.(end)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const url = READY.exec(line)?.[1]
    if (url) {
      child.stdout.resume()
      return { url, pid: child.pid!, lines, end }
    }
    lines.push(line)
  }
  throw new Error('the server ended before it was ready')
}
