import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Times in milliseconds, and how they spread. */
export function percentile(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Watches for how long the event loop was kept from turning. */
export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  return {
    /** The longest since the last call, in milliseconds. */
    longestMs(): number {
      const longest = histogram.max / 1e6
      histogram.reset()
      return longest
    },
    stop: () => histogram.disable(),
  }
}

export function peakMemoryMb(): number {
  return process.resourceUsage().maxRSS / 1024
}
