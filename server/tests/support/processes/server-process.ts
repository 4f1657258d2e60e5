import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { bareEnv, launchServer, MAIN, nodeWithin, type ServerProcess } from './launch-server.ts'

/** The server as operators run it, in a process of its own; it goes away when the test ends. */
export function startServerProcess(settings: Record<string, string>, openFiles?: number): Promise<ServerProcess> {
  return launchServer(settings, (end) => onTestFinished(() => void end('SIGKILL')), [MAIN], openFiles)
}

/** A start that ends by itself: its exit code and what it printed. */
export async function runServerProcess(settings: Record<string, string>, args: string[] = [], openFiles?: number) {
  const env = { ...bareEnv(), PORT: '0', DOCENT_SAMPLE: 'false', ...settings }
  const child = spawn(...nodeWithin(openFiles, [MAIN, ...args]), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
}
