/** Makes a function that calls `act` at most once in `everyMs`, and ignores the calls between. */
export function throttle<A extends unknown[]>(everyMs: number, act: (...args: A) => void): (...args: A) => void {
  let last = Number.NEGATIVE_INFINITY
  return (...args) => {
    const now = performance.now()
    if (now - last < everyMs) return
    last = now
    act(...args)
  }
}
