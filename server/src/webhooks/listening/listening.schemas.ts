import { z } from 'zod'

const WebhookPing = z
  .object({ type: z.literal('ping') })
  .meta({ id: 'WebhookPing', description: 'The first of all, and then every 5 s' })

const WebhookDelivered = z
  .object({
    type: z.literal('delivery'),
    headers: z.record(z.string(), z.string()).meta({
      description: 'webhook-id, webhook-timestamp and webhook-signature, with the secret of the workspace',
    }),
    body: z.string().meta({
      description: 'JSON of the event, as an endpoint is sent it, or of a result, as its webhook_url is sent it',
    }),
  })
  .meta({
    id: 'WebhookDelivered',
    description: 'An event that has just happened, or the result of an asynchronous query',
  })

export const WebhookListenEvent = z
  .discriminatedUnion('type', [WebhookPing, WebhookDelivered])
  .meta({ id: 'WebhookListenEvent' })
export type WebhookListenEvent = z.input<typeof WebhookListenEvent>
