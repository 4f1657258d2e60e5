/** Waits no longer than allowed; the work itself has to be ended by whoever gave it. */
export function withDeadline<T>(
  work: Promise<T>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new DeadlineError(timeoutMs))), timeoutMs)
    const abort = () => end(() => reject(signal.reason))
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      settle()
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    )
  })
}

export class DeadlineError extends Error {
  override name = 'DeadlineError'
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs / 1000} s`)
  }
}
