import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/**
 * Starts a process that commits rows to the database in the folder; it ends with the test.
 * @param how whether it holds the lock of a server, or works beside one
 */
export function startCommitting(folder: string, how: 'alone' | 'shared' = 'alone') {
  const script = fileURLToPath(new URL('committing-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder, how], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  /** Ids of rows whose commit has resolved. */
  const committed: string[] = []
  lines.on('line', (line) => committed.push(line))

  async function kill() {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)

  return {
    committed,
    kill,
    /** Resolves once so many rows are committed. */
    async reach(count: number) {
      while (committed.length < count) {
        const event = await Promise.race([once(lines, 'line'), exited.then(() => undefined)])
        if (!event) throw new Error('the process ended on its own')
      }
    },
  }
}
