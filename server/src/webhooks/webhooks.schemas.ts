import { z } from 'zod'
import { listOf, ObjectId, PageQuery, Timestamp } from '../platform/http/validation/schemas.ts'
import type { AttemptRow } from './deliveries/attempts.store.ts'
import type { SecretRecord } from './secrets/secrets.store.ts'
import type { DeliveryRow } from './webhooks.store.ts'

export const WorkspacePath = z.object({ workspace_id: z.string() })
export const DeliveryPath = WorkspacePath.extend({ delivery_id: z.string() })

const DeliveryStatus = z.enum(['waiting', 'pending', 'delivered', 'failed']).meta({
  id: 'WebhookDeliveryStatus',
  description:
    'waiting: the message is being answered; pending: to be delivered, at once or at next_attempt_at; delivered; failed: given up, until it is asked for again',
})

export const ListDeliveriesQuery = z.object({
  status: DeliveryStatus.optional(),
  message_id: z.string().max(24).optional().meta({ description: 'Only those of this message' }),
  ...PageQuery,
})

export const WebhookDelivery = z
  .object({
    id: ObjectId.meta({ description: 'The webhook-id of every attempt' }),
    message_id: ObjectId,
    url: z.string(),
    status: DeliveryStatus,
    attempt_count: z.number().int(),
    error_message: z.string().nullable().meta({ description: 'Why the last attempt, or the delivery, failed' }),
    next_attempt_at: Timestamp.nullable(),
    delivered_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WebhookDelivery', description: 'The result of an async query on its way to its webhook' })

const WebhookAttempt = z
  .object({
    number: z.number().int().meta({ description: 'From 1' }),
    started_at: Timestamp,
    duration_ms: z.number().int(),
    status: z.number().int().nullable().meta({ description: 'HTTP status; null where no answer came' }),
    reply: z.string().nullable().meta({ description: 'The first 2 KiB of the answer' }),
    error: z.string().nullable().meta({ description: 'Why no answer came' }),
  })
  .meta({ id: 'WebhookAttempt' })

const WebhookSecret = z
  .object({
    secret: z.string().meta({ description: 'whsec_ and base64, as the Standard Webhooks specification has it' }),
    created_at: Timestamp,
    previous: z
      .array(z.object({ created_at: Timestamp, expires_at: Timestamp }))
      .meta({ description: 'Earlier secrets that still sign along, newest first' }),
  })
  .meta({ id: 'WebhookSecret' })

export const DeliveryListReply = listOf('deliveries', WebhookDelivery)
export const DeliveryReply = z.object({ data: WebhookDelivery })
export const DeliveryDetailReply = z.object({ data: WebhookDelivery.extend({ attempts: z.array(WebhookAttempt) }) })
export const WebhookSecretReply = z.object({ data: WebhookSecret })

export const toDelivery = (row: DeliveryRow): z.input<typeof WebhookDelivery> => ({
  id: row.id,
  message_id: row.message_id,
  url: row.url,
  status: row.status,
  attempt_count: row.attempts,
  error_message: row.error_message,
  next_attempt_at: row.next_attempt_at,
  delivered_at: row.delivered_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

export const toAttempt = (row: AttemptRow): z.input<typeof WebhookAttempt> => ({
  number: row.number,
  started_at: row.started_at,
  duration_ms: row.duration_ms,
  status: row.status,
  reply: row.reply,
  error: row.error,
})

/** @param secrets the current one first */
export function toSecret([current, ...previous]: SecretRecord[]): z.input<typeof WebhookSecret> {
  return {
    secret: current!.secret,
    created_at: current!.createdAt,
    previous: previous.map(({ createdAt, expiresAt }) => ({ created_at: createdAt, expires_at: expiresAt! })),
  }
}
