import { Worker } from 'node:worker_threads'
import type { LocalModel, LocalRequest, LocalResult } from './local-model.worker.ts'

interface Job {
  request: LocalRequest
  signal: AbortSignal
  resolve(numbers: Float32Array): void
  reject(reason: unknown): void
}

export interface LocalThread {
  /**
   * Numbers that the model gives for a text.
   * @param isUrgent somebody waits for it: it passes those that are not
   */
  run(request: LocalRequest, options: { isUrgent: boolean; signal: AbortSignal }): Promise<Float32Array>
}

/**
 * A model in a thread of its own, because it blocks the thread that it runs in. One text at a time. The thread starts with
 * the first text and does not keep the process alive.
 * @param isUsable whether the numbers can be used; they may be changed in place
 * @param failure makes the error of a text from the reason
 */
export function createLocalThread(
  model: LocalModel,
  { isUsable, failure }: { isUsable(numbers: Float32Array): boolean; failure(why: string): Error },
): LocalThread {
  const urgent: Job[] = []
  const others: Job[] = []
  let worker: Worker | undefined
  let running: Job | undefined

  function next(): void {
    if (running) return
    running = nextJob()
    if (!running) {
      worker?.unref()
      return
    }
    worker ??= start()
    worker.ref()
    worker.postMessage(running.request)
  }

  function nextJob(): Job | undefined {
    for (;;) {
      const job = urgent.shift() ?? others.shift()
      if (!job?.signal.aborted) return job
      job.reject(job.signal.reason)
    }
  }

  function start(): Worker {
    const started = new Worker(new URL('./local-model.worker.ts', import.meta.url), { workerData: model })
    started.on('message', (result: LocalResult) => {
      if ('numbers' in result && isUsable(result.numbers)) end((job) => job.resolve(result.numbers))
      else end((job) => job.reject(failure('error' in result ? result.error : 'it gave no numbers')))
    })
    // A thread that dies takes its text with it; the next text gets a new thread.
    started.on('error', (error) => lose(error.message))
    started.on('exit', () => lose('its thread ended'))
    function lose(why: string) {
      if (worker !== started) return
      worker = undefined
      end((job) => job.reject(failure(why)))
    }
    return started
  }

  function end(settle: (job: Job) => void): void {
    const job = running
    running = undefined
    if (job) settle(job)
    next()
  }

  return {
    run: (request, { isUrgent, signal }) =>
      new Promise((resolve, reject) => {
        const waiting = isUrgent ? urgent : others
        waiting.push({ request, signal, resolve, reject })
        next()
      }),
  }
}
