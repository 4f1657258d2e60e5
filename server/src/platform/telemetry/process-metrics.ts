import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics, Sample } from './metrics.ts'

const LAG_RESOLUTION_MS = 20
const NS = 1e9

/** Adds the metrics of the process itself, by the names that every client of Prometheus uses. */
export function addProcessMetrics(metrics: Metrics): void {
  const one = (value: number): Sample[] => [{ labels: [], value }]
  metrics.gauge({
    name: 'process_start_time_seconds',
    help: 'When the process began, in seconds since 1970.',
    read: () => one(Math.round(Date.now() / 1000 - process.uptime())),
  })
  metrics.gauge({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, of the system and the user.',
    type: 'counter',
    read() {
      const { user, system } = process.cpuUsage()
      return one((user + system) / 1e6)
    },
  })
  metrics.gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process holds.',
    read: () => one(process.memoryUsage.rss()),
  })
  metrics.gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Memory that JavaScript values take.',
    read: () => one(process.memoryUsage().heapUsed),
  })

  // Its timer wakes the process, so it runs only where somebody reads.
  let lag: ReturnType<typeof monitorEventLoopDelay> | undefined
  metrics.gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late timers were since the last look: mean, 99th percentile and maximum. 0 at the first look.',
    labels: ['quantile'],
    read() {
      if (!lag) {
        lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
        lag.enable()
      }
      const late = (ns: number) => (lag!.count === 0 ? 0 : Math.max(0, ns / NS - LAG_RESOLUTION_MS / 1000))
      const samples = [
        { labels: ['mean'], value: late(lag.mean) },
        { labels: ['p99'], value: late(lag.percentile(99)) },
        { labels: ['max'], value: late(lag.max) },
      ]
      lag.reset()
      return samples
    },
  })
}
