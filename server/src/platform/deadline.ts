export class TooLateError extends Error {
  override name = 'TooLateError'
}

/** @throws TooLateError when the promise has not settled after so long; what it comes to later is nobody's. */
export function deadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: settled, resolve, reject } = Promise.withResolvers<T>()
  // What has arrived while the event loop was busy is not late: it is read between the timer and the check.
  const timer = setTimeout(() => setImmediate(() => reject(new TooLateError(`it took more than ${ms} ms`))), ms)
  promise.then(resolve, reject).finally(() => clearTimeout(timer))
  return settled
}
