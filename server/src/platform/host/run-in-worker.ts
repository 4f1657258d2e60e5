import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { UnavailableError } from '../errors.ts'

/** The thread took too long, or broke down: its work is lost, this process is not. */
export class WorkerFailedError extends Error {
  override name = 'WorkerFailedError'
  readonly reason: 'timeout' | 'memory' | 'crash'
  constructor(reason: 'timeout' | 'memory' | 'crash', cause?: unknown) {
    super(`A thread ended without a result: ${reason}`, { cause })
    this.reason = reason
  }
}

/** How callers hear of a thread that this machine had no time or no memory for. */
export class TooBusyError extends UnavailableError {
  override name = 'TooBusyError'
  override readonly retryAfterSeconds = 10
  constructor(cause: unknown) {
    super('The server has too much to do just now; try again in a moment', { cause })
  }
}

/** Whether a thread was ended for time or memory, not by a fault in what it runs. */
export const isOverloaded = (error: unknown): boolean => error instanceof WorkerFailedError && error.reason !== 'crash'

export interface WorkerTask {
  /** The module that the thread runs: it reads `workerData` and posts one message, its result. */
  entry: URL
  data: unknown
  timeoutMs: number
  /** Limit of JavaScript's heap; native code and WebAssembly have limits of their own. */
  heapMb: number
  /** Part of that for what was made last; default: Node's own, 48. */
  youngMb?: number
  signal?: AbortSignal
}

/**
 * Does one piece of work in a thread of its own, which is gone afterwards: for what may take long, or was sent by
 * somebody else and may never end. A start costs some 40 ms.
 * @throws WorkerFailedError, or the signal's reason
 */
export async function runInWorker<T>({ data, timeoutMs, signal, ...start }: WorkerTask): Promise<T> {
  signal?.throwIfAborted()
  const worker = startWorker(start, data)
  try {
    return await waitForResult<T>(worker, timeoutMs, signal)
  } finally {
    await worker.terminate()
  }
}

/**
 * Makes a function that does one piece of work after the other in one thread, which stays for a while after the last:
 * for modules that take long to load. The entry answers each message with one.
 * @param idleMs after which the thread is ended, with the memory that it took
 * @returns throws WorkerFailedError, after which the next work gets another thread
 */
export function keepWorker<Task, Result>({
  timeoutMs,
  idleMs,
  ...start
}: Pick<WorkerTask, 'entry' | 'timeoutMs' | 'heapMb'> & { idleMs: number }): (task: Task) => Promise<Result> {
  const alone = pLimit(1)
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  const end = async () => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const endIdle = () => {
    // Ending a thread does not fail.
    end().catch(() => {})
  }

  function startKept(): Worker {
    const own = startWorker(start)
    return own.once('exit', () => {
      if (worker === own) worker = undefined
    })
  }

  async function run(task: Task): Promise<Result> {
    clearTimeout(idle)
    const own = (worker ??= startKept())
    own.ref()
    own.postMessage(task)
    try {
      const result = await waitForResult<Result>(own, timeoutMs)
      own.unref()
      idle = setTimeout(endIdle, idleMs).unref()
      return result
    } catch (error) {
      await end()
      throw error
    }
  }
  return (task) => alone(run, task)
}

function startWorker({ entry, heapMb, youngMb }: Pick<WorkerTask, 'entry' | 'heapMb' | 'youngMb'>, data?: unknown) {
  const compiled = getCompileCacheDir()
  const worker = new Worker(entry, {
    workerData: data,
    // Code in the thread must not find the keys that the environment holds. With compiled code a start takes half the time.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, ...(youngMb && { maxYoungGenerationSizeMb: youngMb }) },
    stdout: true,
    stderr: true,
  })
  // An error that nobody listens to would end this process.
  worker.on('error', () => {})
  return worker
}

/** The next message of a thread. @throws WorkerFailedError, or the signal's reason */
async function waitForResult<T>(worker: Worker, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  const listeners = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onError = (error: NodeJS.ErrnoException) =>
    reject(new WorkerFailedError(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error))
  const onExit = (code: number) => reject(new WorkerFailedError('crash', new Error(`exit code ${code}`)))
  try {
    timer = setTimeout(() => reject(new WorkerFailedError('timeout')), timeoutMs)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: listeners.signal })
    worker.once('message', resolve).once('error', onError).once('exit', onExit)
    return await promise
  } finally {
    clearTimeout(timer)
    listeners.abort()
    worker.off('message', resolve).off('error', onError).off('exit', onExit)
  }
}
