import { z } from 'zod'
import { isStorable } from '../../platform/http/bodies/json-body.ts'
import { listOf, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { DeliveryStatus, WorkspacePath } from '../webhooks.schemas.ts'
import type { EndpointRecord } from './endpoints.store.ts'
import { EVENT_TYPES } from './events.schemas.ts'

export const EndpointPath = WorkspacePath.extend({ webhook_endpoint_id: z.string() })
export const EndpointDeliveryPath = EndpointPath.extend({ delivery_id: z.string() })

const EventTypes = z
  .array(z.enum(EVENT_TYPES))
  .min(1, 'must name at least one type')
  .refine((types) => new Set(types).size === types.length, 'must name each type once')

const Url = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(2048, 'must have at most 2048 characters')
  .refine(isStorable, 'holds a character that cannot be stored')
  .meta({ description: 'http or https; events are sent there with POST', examples: ['https://example.com/docent'] })

const Description = z
  .string()
  .trim()
  .max(256, 'must have at most 256 characters')
  .refine(isStorable, 'holds a character that cannot be stored')

export const CreateEndpoint = z
  .strictObject({
    url: Url,
    event_types: EventTypes,
    description: Description.default(''),
  })
  .meta({ id: 'CreateWebhookEndpoint' })
export type CreateEndpoint = z.infer<typeof CreateEndpoint>

export const UpdateEndpoint = z
  .strictObject({
    url: Url,
    event_types: EventTypes,
    description: Description,
    is_enabled: z.boolean().meta({ description: 'false: no event is sent, and what is on its way is given up' }),
  })
  .partial()
  .meta({ id: 'UpdateWebhookEndpoint' })
export type UpdateEndpoint = z.infer<typeof UpdateEndpoint>

export const WebhookEndpoint = z
  .object({
    id: ObjectId,
    url: z.string(),
    description: z.string(),
    event_types: z.array(z.enum(EVENT_TYPES)),
    is_enabled: z.boolean(),
    disabled_at: Timestamp.nullable(),
    disabled_reason: z.enum(['asked', 'failing', 'gone']).nullable().meta({
      description: 'failing: nothing arrived for three days; gone: it answered 410; asked: somebody switched it off',
    }),
    failing_since: Timestamp.nullable().meta({ description: 'Since when no attempt has arrived; null while they do' }),
    old_secret_until: Timestamp.nullable().meta({ description: 'Until when the secret before signs along' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WebhookEndpoint', description: 'URL to which a workspace has its events sent' })

const WithSecret = WebhookEndpoint.extend({
  secret: z.string().meta({ description: 'Signs the deliveries; it is not shown again' }),
}).meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint with its new secret' })

export const ListEventDeliveriesQuery = z.object({ status: DeliveryStatus.optional(), ...PageQuery })
export const ListEndpointsQuery = z.object(PageQuery)

export const EndpointReply = z.object({ data: WebhookEndpoint })
export const EndpointListReply = listOf('webhook_endpoints', WebhookEndpoint)
export const EndpointWithSecretReply = z.object({ data: WithSecret })

export const toEndpoint = (endpoint: EndpointRecord, now: string): z.input<typeof WebhookEndpoint> => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes,
  is_enabled: endpoint.disabledAt === null,
  disabled_at: endpoint.disabledAt,
  disabled_reason: endpoint.disabledReason,
  failing_since: endpoint.failingSince,
  old_secret_until: endpoint.oldSecretUntil !== null && endpoint.oldSecretUntil > now ? endpoint.oldSecretUntil : null,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
})
