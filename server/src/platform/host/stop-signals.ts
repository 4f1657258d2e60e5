/** Time within which a signal that npm passes on is the one that it received. */
const COPIES_MS = 500

/**
 * Calls `stop` at the first SIGINT or SIGTERM; the second one ends the process at once, with exit code 1. Below npm a
 * second one that follows at once does not count: a terminal signals the whole process group, and npm passes its own
 * signal on.
 */
export function onStopSignal(
  stop: (signal: NodeJS.Signals) => void,
  isBelowNpm = process.env.npm_lifecycle_event !== undefined,
): void {
  const copiesMs = isBelowNpm ? COPIES_MS : 0
  let firstAtMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (firstAtMs === undefined) {
        firstAtMs = performance.now()
        stop(signal)
      } else if (performance.now() - firstAtMs >= copiesMs) process.exit(1)
    })
  }
}
