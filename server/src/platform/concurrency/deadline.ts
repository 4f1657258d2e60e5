export class TooLateError extends Error {
  override name = 'TooLateError'
  constructor(ms: number) {
    super(`No answer within ${ms / 1000} s`)
  }
}

/**
 * Waits no longer than this many milliseconds. The work itself continues; its later result is ignored.
 * @param signal ends the wait sooner, with its reason
 * @throws TooLateError
 */
export function deadline<T>(work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T> {
  const { promise: settled, resolve, reject } = Promise.withResolvers<T>()
  // Data that arrived while the event loop was busy is not late: it is read between the timer and the check.
  const timer = setTimeout(() => setImmediate(() => reject(new TooLateError(ms))), ms)
  const abort = () => reject(signal!.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  work.then(resolve, reject)
  settled.then(end, end)
  return settled
}
