import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'

/** Longer than a server may take to drain. */
const PATIENCE_MS = 20_000

/** The processes of one run of the bench. */
export interface Children {
  start(command: string, args: string[], options: SpawnOptions): ChildProcess
  /** Ends one with SIGTERM, or SIGKILL if it does not hear, and waits until it is gone. */
  end(child: ChildProcess): Promise<void>
  endAll(): Promise<void>
}

/** Starts children and ends them with the bench, by Ctrl-C too: each process by its own id. */
export function createChildren(cleanUp: () => Promise<void>): Children {
  const running = new Set<ChildProcess>()

  async function end(child: ChildProcess): Promise<void> {
    if (!running.has(child)) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    await exited
    clearTimeout(timer)
  }

  async function endAll(): Promise<void> {
    await Promise.all([...running].map(end))
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, async () => {
      await endAll()
      await cleanUp()
      process.exit(128 + constants.signals[signal])
    })
  }
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })

  return {
    start(command, args, options) {
      const child = spawn(command, args, options)
      running.add(child)
      child.once('exit', () => running.delete(child))
      // A command that cannot be started has no exit.
      child.once('error', () => running.delete(child))
      return child
    },
    end,
    endAll,
  }
}
