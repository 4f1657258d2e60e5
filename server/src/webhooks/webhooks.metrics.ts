import type { Db } from '../db.ts'
import { type Metrics, SECONDS } from '../platform/telemetry/metrics.ts'
import { countDeliveries } from './webhooks.store.ts'

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>

/** States that are counted: waiting and given up. Arrived ones are the most by far. */
const COUNTED = ['waiting', 'pending', 'failed'] as const

export function createWebhookMetrics(metrics: Metrics, { db }: { db: Db }) {
  metrics.gauge({
    name: 'docent_webhook_deliveries',
    help: 'Deliveries that are waiting for their message, pending, or failed and still kept.',
    labels: ['status'],
    read: () =>
      Promise.all(COUNTED.map(async (status) => ({ labels: [status], value: await countDeliveries(db, status) }))),
  })
  const attempts = metrics.histogram({
    name: 'docent_webhook_attempt_duration_seconds',
    help: 'Time that receivers of webhooks took, by what came of it: 2xx, 3xx, 4xx, 5xx, or none without an answer.',
    labels: ['outcome'],
    buckets: SECONDS,
  })
  return {
    attempted: ({ status, durationMs }: { status: number | null; durationMs: number }): void =>
      attempts([status === null ? 'none' : `${Math.floor(status / 100)}xx`], durationMs / 1000),
  }
}
