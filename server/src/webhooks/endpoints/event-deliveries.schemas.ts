import { z } from 'zod'
import { listOf, ObjectId } from '../../platform/http/validation/schemas.ts'
import { deliveryProgress, toProgress, WebhookAttempt } from '../webhooks.schemas.ts'
import type { DeliveryRecord } from '../webhooks.store.ts'

export const EventDelivery = z
  .object({
    id: ObjectId.meta({ description: 'The webhook-id of every attempt' }),
    endpoint_id: ObjectId,
    event_type: z.string(),
    ...deliveryProgress,
  })
  .meta({ id: 'WebhookEventDelivery', description: 'An event on its way to an endpoint' })
export const EventDeliveryReply = z.object({ data: EventDelivery })
export const EventDeliveryListReply = listOf('deliveries', EventDelivery)
export const EventDeliveryDetailReply = z.object({
  data: EventDelivery.extend({
    body: z.string().meta({ description: 'JSON, as it is sent' }),
    attempts: z.array(WebhookAttempt),
  }),
})

export const toEventDelivery = (delivery: DeliveryRecord): z.input<typeof EventDelivery> => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId!,
  event_type: delivery.eventType!,
  ...toProgress(delivery),
})
