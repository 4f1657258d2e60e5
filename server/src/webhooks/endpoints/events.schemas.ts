import { z } from 'zod'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'

const IndexedFile = z.object({
  data_source_id: ObjectId,
  knowledge_base_id: ObjectId,
  title: z.string(),
})

const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    type: z.literal(type),
    timestamp: Timestamp.meta({ description: 'When it happened' }),
    workspace_id: ObjectId.meta({ description: 'Workspace of the endpoint' }),
    data,
  })

/** Bodies that are sent to endpoints, by the type of the event. */
export const EVENTS = {
  'data_source.indexed': eventOf(
    'data_source.indexed',
    IndexedFile.extend({ chunk_count: z.number().int().meta({ description: 'Passages that searches find' }) }),
  ).meta({
    id: 'DataSourceIndexedEvent',
    description: 'Searches find a file that was added, replaced or indexed again',
  }),
  'data_source.failed': eventOf(
    'data_source.failed',
    IndexedFile.extend({ reason: z.string().meta({ description: 'As `status_reason` of the file' }) }),
  ).meta({ id: 'DataSourceFailedEvent', description: 'A file cannot be indexed' }),
  'integration.failed': eventOf(
    'integration.failed',
    z.object({
      integration_id: ObjectId,
      knowledge_base_id: ObjectId.meta({ description: 'The folder that it fills' }),
      kind: z.string(),
      error_message: z.string().nullable(),
    }),
  ).meta({
    id: 'IntegrationFailedEvent',
    description: 'The sync of a linked folder failed; while it goes on failing by its schedule, nothing more is sent',
  }),
  'message.waiting': eventOf(
    'message.waiting',
    z.object({
      message_id: ObjectId,
      chat_id: ObjectId,
      agent_id: ObjectId,
      review_id: ObjectId,
      review_kind: z.string().meta({ description: '`approval` of a tool call, or a `question`' }),
      expires_at: Timestamp.meta({ description: 'When the message ends without a decision' }),
    }),
  ).meta({ id: 'MessageWaitingEvent', description: 'A message of this workspace waits for a review' }),
  'webhook.test': eventOf('webhook.test', z.object({ endpoint_id: ObjectId })).meta({
    id: 'WebhookTestEvent',
    description: 'Somebody asked for a test of the endpoint',
  }),
} as const

export type EventType = keyof typeof EVENTS
export type EventData<T extends EventType> = z.input<(typeof EVENTS)[T]>['data']

/** Types that an endpoint can choose; a test comes to each. */
export const EVENT_TYPES = [
  'data_source.indexed',
  'data_source.failed',
  'integration.failed',
  'message.waiting',
] as const
export type ChosenType = (typeof EVENT_TYPES)[number]
