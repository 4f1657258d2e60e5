import type { Db } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { countTasks } from './queue.store.ts'

/** How many background tasks there are, and for how long they should have run already. */
export function addQueueMetrics(metrics: Metrics, { db, clock }: { db: Db; clock: Clock }): void {
  metrics.gauge({
    name: 'docent_tasks',
    help: 'Background tasks by kind and state; waiting ones may be planned for later, dead ones were given up.',
    labels: ['kind', 'state'],
    async read() {
      return (await countTasks(db)).map(({ kind, state, count }) => ({ labels: [kind, state], value: count }))
    },
  })
  metrics.gauge({
    name: 'docent_task_oldest_due_seconds',
    help: 'For how long the waiting task of a kind that is due for longest has been due.',
    labels: ['kind'],
    async read() {
      const now = clock().getTime()
      return (await countTasks(db))
        .filter(({ state }) => state === 'waiting')
        .map(({ kind, firstRunAt }) => ({ labels: [kind], value: Math.max(0, (now - Date.parse(firstRunAt)) / 1000) }))
    },
  })
}
