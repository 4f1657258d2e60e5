import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { WorkedQueue } from './queue.ts'

/** How many background tasks there are, and for how long they should have run already. */
export function addQueueMetrics(metrics: Metrics, queue: WorkedQueue): void {
  metrics.gauge({
    name: 'docent_tasks',
    help: 'Background tasks by kind and state; waiting ones may be planned for later, dead ones were given up.',
    labels: ['kind', 'state'],
    async read() {
      return (await queue.count()).map(({ kind, state, count }) => ({ labels: [kind, state], value: count }))
    },
  })
  metrics.gauge({
    name: 'docent_task_oldest_due_seconds',
    help: 'For how long the waiting task of a kind that is due for longest has been due.',
    labels: ['kind'],
    async read() {
      return (await queue.count())
        .filter(({ state }) => state === 'waiting')
        .map(({ kind, dueForMs }) => ({ labels: [kind], value: Math.max(0, dueForMs / 1000) }))
    },
  })
}
