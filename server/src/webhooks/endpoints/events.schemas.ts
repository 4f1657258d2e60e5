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

const Evaluated = z.object({
  evaluation_run_id: ObjectId,
  evaluation_set_id: ObjectId,
  agent_id: ObjectId,
  status: z.enum(['completed', 'failed', 'cancelled']),
  is_scheduled: z.boolean(),
  measures: z
    .record(z.string(), z.number().nullable())
    .meta({ description: 'Sums by measure, from 0 to 1; null where no case could be measured' }),
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
  'evaluation.finished': eventOf('evaluation.finished', Evaluated).meta({
    id: 'EvaluationFinishedEvent',
    description: 'A run of a question set has ended',
  }),
  'evaluation.regressed': eventOf(
    'evaluation.regressed',
    Evaluated.extend({
      alerts: z.array(
        z.object({
          measure: z.string(),
          value: z.number(),
          before: z.number().nullable().meta({ description: 'In the last completed run before it' }),
          limit: z.number().nullable(),
          drop: z.number().nullable(),
        }),
      ),
    }),
  ).meta({
    id: 'EvaluationRegressedEvent',
    description: 'A run by schedule was completed, and a measure crossed a bound of its set',
  }),
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
  'evaluation.finished',
  'evaluation.regressed',
] as const
export type ChosenType = (typeof EVENT_TYPES)[number]
