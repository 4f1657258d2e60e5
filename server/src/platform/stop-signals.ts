const SAME_KEYPRESS_MS = 1_000

/**
 * Calls `stop` at the first SIGINT or SIGTERM; one that comes a second or more later ends the process at once, with
 * exit code 1. What comes sooner is the same wish once more: on Ctrl-C the terminal signals the whole process group,
 * and npm passes its own signal on.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstAtMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (firstAtMs === undefined) {
        firstAtMs = performance.now()
        stop(signal)
      } else if (performance.now() - firstAtMs >= SAME_KEYPRESS_MS) process.exit(1)
    })
  }
}
