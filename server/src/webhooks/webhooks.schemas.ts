import { z } from 'zod'
import { listOf, ObjectId, PageQuery, Timestamp } from '../platform/http/validation/schemas.ts'
import type { AttemptRecord } from './deliveries/attempts.store.ts'
import type { DeliveryRecord } from './webhooks.store.ts'

export const WorkspacePath = z.object({ workspace_id: z.string() })
export const DeliveryPath = WorkspacePath.extend({ delivery_id: z.string() })

export const DeliveryStatus = z.enum(['waiting', 'pending', 'delivered', 'failed']).meta({
  id: 'WebhookDeliveryStatus',
  description:
    'waiting: the message is being answered; pending: to be delivered, at once or at next_attempt_at; delivered; failed: given up, until it is asked for again',
})

export const ListDeliveriesQuery = z.object({
  status: DeliveryStatus.optional(),
  message_id: z.string().max(24).optional().meta({ description: 'Only those of this message' }),
  ...PageQuery,
})

/** Fields of how far a delivery is, whatever it carries. */
export const deliveryProgress = {
  status: DeliveryStatus,
  attempt_count: z.number().int(),
  error_message: z.string().nullable().meta({ description: 'Why the last attempt, or the delivery, failed' }),
  next_attempt_at: Timestamp.nullable(),
  delivered_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookDelivery = z
  .object({
    id: ObjectId.meta({ description: 'The webhook-id of every attempt' }),
    message_id: ObjectId,
    url: z.string(),
    ...deliveryProgress,
  })
  .meta({ id: 'WebhookDelivery', description: 'The result of an async query on its way to its webhook' })

export const WebhookAttempt = z
  .object({
    number: z.number().int().meta({ description: 'From 1' }),
    started_at: Timestamp,
    duration_ms: z.number().int(),
    status: z.number().int().nullable().meta({ description: 'HTTP status; null where no answer came' }),
    reply: z.string().nullable().meta({ description: 'The first 2 KiB of the answer' }),
    error: z.string().nullable().meta({ description: 'Why no answer came' }),
  })
  .meta({ id: 'WebhookAttempt' })

export const DeliveryListReply = listOf('deliveries', WebhookDelivery)
export const DeliveryReply = z.object({ data: WebhookDelivery })
export const DeliveryDetailReply = z.object({ data: WebhookDelivery.extend({ attempts: z.array(WebhookAttempt) }) })

export const toProgress = (delivery: DeliveryRecord) => ({
  status: delivery.status,
  attempt_count: delivery.attemptCount,
  error_message: delivery.errorMessage,
  next_attempt_at: delivery.nextAttemptAt,
  delivered_at: delivery.deliveredAt,
  created_at: delivery.createdAt,
  updated_at: delivery.updatedAt,
})

export const toDelivery = (delivery: DeliveryRecord): z.input<typeof WebhookDelivery> => ({
  id: delivery.id,
  message_id: delivery.messageId,
  url: delivery.url,
  ...toProgress(delivery),
})

export const toAttempt = (attempt: AttemptRecord): z.input<typeof WebhookAttempt> => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status: attempt.status,
  reply: attempt.reply,
  error: attempt.error,
})
