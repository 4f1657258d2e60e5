import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bareEnv } from './launch-server.ts'

const ADMIN = fileURLToPath(new URL('../../../../tools/admin.mjs', import.meta.url))

export interface AdminRun {
  /** Ends it wherever it is. */
  kill(): void
  ended: Promise<{ code: number | null; result: any; stderr: string }>
}

/** An operator's command, in a process of its own as operators run it. */
export function startAdmin(settings: Record<string, string>, ...args: string[]): AdminRun {
  const env = { ...bareEnv(), LOG_LEVEL: 'error', ...settings }
  const child = spawn(process.execPath, [ADMIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit') as Promise<[number | null]>
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(([[code], stdout, stderr]) => ({
    code,
    result: stdout ? JSON.parse(stdout) : undefined,
    stderr,
  }))
  return { kill: () => void child.kill('SIGKILL'), ended }
}

/** Runs a command of the operator to its end. @returns what it printed @throws Error when it fails */
export async function runAdmin(settings: Record<string, string>, ...args: string[]): Promise<any> {
  const { code, result, stderr } = await startAdmin(settings, ...args).ended
  // A doctor that found something tells what, and ends with 1.
  if (code !== 0 && result === undefined) throw new Error(stderr)
  return result
}
