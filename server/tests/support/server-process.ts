import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const READY = /^Docent is ready at (\S+)$/

export interface ServerProcess {
  url: string
  pid: number
  /** What it printed before it was ready. */
  lines: string[]
  /** Ends the process. @returns its exit code once it is gone, null if the signal was what ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** The server as operators run it, in a process of its own; it goes away when the test ends. */
export async function startServerProcess(settings: Record<string, string>): Promise<ServerProcess> {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', DOCENT_SAMPLE: 'false', ...settings }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return (await exited)[0]
  }
  onTestFinished(() => void end('SIGKILL'))
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

/** A start that ends by itself: its exit code and what it printed. */
export async function runServerProcess(settings: Record<string, string>, args: string[] = []) {
  const env = { PATH: process.env.PATH, PORT: '0', DOCENT_SAMPLE: 'false', ...settings }
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
}
