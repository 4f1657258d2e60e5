import { Worker } from 'node:worker_threads'

/** The thread took too long, or broke down: its work is lost, this process is not. */
export class WorkerFailedError extends Error {
  override name = 'WorkerFailedError'
  readonly reason: 'timeout' | 'memory' | 'crash'
  constructor(reason: 'timeout' | 'memory' | 'crash', cause?: unknown) {
    super(`A thread ended without a result: ${reason}`, { cause })
    this.reason = reason
  }
}

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
export async function runInWorker<T>({ entry, data, timeoutMs, heapMb, youngMb, signal }: WorkerTask): Promise<T> {
  signal?.throwIfAborted()
  const worker = new Worker(entry, {
    workerData: data,
    // What it is given must not find the keys that the environment holds.
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, ...(youngMb && { maxYoungGenerationSizeMb: youngMb }) },
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  let abort: (() => void) | undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      timer = setTimeout(() => reject(new WorkerFailedError('timeout')), timeoutMs)
      abort = () => reject(signal!.reason)
      signal?.addEventListener('abort', abort, { once: true })
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(new WorkerFailedError(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error)),
      )
      worker.once('exit', (code) => reject(new WorkerFailedError('crash', new Error(`exit code ${code}`))))
    })
  } finally {
    clearTimeout(timer)
    if (abort) signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
