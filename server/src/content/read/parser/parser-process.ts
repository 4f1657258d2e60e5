import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { OUT_OF_TIME } from '../../../platform/host/watchdog.ts'
import { ParseError, parseFailures } from '../parse.errors.ts'
import type { MadeParse } from '../stored-parse.ts'
import type { ChildMessage, ParseTask } from './child-messages.ts'
import type { ParseLimits } from './parse-limits.ts'

const entry = fileURLToPath(new URL('./child.ts', import.meta.url))
const MAX_STDERR = 4_096
const MAX_END_MS = 2_000

/** A child process that reads one file at a time. */
export interface ParserProcess {
  /** @throws ParseError for what is wrong with the file; the signal's reason when aborted. After any error the process is gone. */
  run(task: ParseTask, signal?: AbortSignal): Promise<MadeParse>
  /** Files read and memory held after the last one. */
  readonly used: { files: number; rssMb: number }
  readonly alive: boolean
  /** Lets an idle child end by itself, which is when Node writes down the code that it compiled; after 2 s it is killed. */
  end(): Promise<void>
}

/**
 * Starts a child. Its environment is empty but for the folder in which Node keeps compiled code, of this process where it
 * was told one (a start takes 30 ms instead of 65 ms with it): a file that takes over its parser finds no keys there.
 */
export function startParserProcess(limits: ParseLimits, cacheFolder: string): ParserProcess {
  const child = fork(entry, {
    execArgv: [`--max-old-space-size=${limits.heapMb}`, '--disable-warning=ExperimentalWarning'],
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${cacheFolder}/compiled` },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const used = { files: 0, rssMb: 0 }
  let stderr = ''
  let exited = false
  child.stderr?.on('data', (data: Buffer) => {
    stderr = (stderr + data.toString('latin1')).slice(-MAX_STDERR)
  })
  child.on('exit', () => {
    exited = true
  })
  // Failures to start or to send end the run below; without a run they mean the same as an exit.
  child.on('error', () => {
    exited = true
  })
  hold(child, false)

  async function run(task: ParseTask, signal?: AbortSignal): Promise<MadeParse> {
    signal?.throwIfAborted()
    hold(child, true)
    const started = performance.now()
    let pages = 0
    let timer: NodeJS.Timeout | undefined
    const listeners = new AbortController()
    const on = (event: string, listener: (...args: never[]) => void) => {
      child.on(event, listener as (...args: unknown[]) => void)
      listeners.signal.addEventListener('abort', () => child.off(event, listener as (...args: unknown[]) => void))
    }
    try {
      const made = await new Promise<MadeParse>((resolve, reject) => {
        const checkTime = () => {
          const { baseMs, perPageMs, mostMs } = task.limits
          const allowed = Math.min(baseMs + pages * perPageMs, mostMs)
          const left = started + allowed - performance.now()
          if (left > 0) timer = setTimeout(checkTime, left)
          else reject(parseFailures.timeout(allowed / 1000))
        }
        checkTime()
        on('message', (message: ChildMessage) => {
          if (message.type === 'pages') pages += message.count
          else if (message.type === 'done') {
            used.rssMb = message.rssMb
            resolve(message.made)
          } else if (message.type === 'failed') reject(new ParseError(message.failure, message.message))
          else reject(Object.assign(new Error(`The parser process failed: ${message.stack}`), { code: message.code }))
        })
        on('exit', (code: number | null, cause: NodeJS.Signals | null) =>
          reject(
            cause === OUT_OF_TIME ? parseFailures.timeout(task.limits.mostMs / 1000) : exitFailure(code, cause, stderr),
          ),
        )
        on('error', (error: Error) => reject(error))
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: listeners.signal })
        child.send(task, (error) => error && reject(error))
      })
      used.files++
      return made
    } catch (error) {
      kill()
      throw error
    } finally {
      clearTimeout(timer)
      listeners.abort()
      hold(child, false)
    }
  }

  function kill(): void {
    exited = true
    child.kill('SIGKILL')
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    exited = true
    hold(child, true)
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const timer = setTimeout(kill, MAX_END_MS)
    timer.unref()
    if (child.connected) child.disconnect()
    else kill()
    await gone
    clearTimeout(timer)
  }

  return {
    run,
    used,
    end,
    get alive() {
      return !exited && child.connected
    },
  }
}

/** Whether an idle child keeps this process from ending. */
function hold(child: ChildProcess, busy: boolean): void {
  const handles = [child, child.channel, child.stderr as unknown as { ref(): void; unref(): void } | null]
  for (const handle of handles) busy ? handle?.ref() : handle?.unref()
}

/** SIGKILL comes from the watchdog or from the system when memory runs out; V8 aborts when the heap is full. */
function exitFailure(code: number | null, signal: NodeJS.Signals | null, stderr: string): Error {
  if (signal === 'SIGKILL' || /heap out of memory|allocation failed/i.test(stderr)) return parseFailures.memory()
  if (signal || code === 134 || code === 139) return parseFailures.crashed()
  return new Error(`The parser process ended with code ${code}: ${stderr.slice(-500)}`)
}
