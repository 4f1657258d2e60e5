import { z } from 'zod'
import { ObjectId } from '../../platform/http/validation/schemas.ts'
import { Citation } from '../messages/messages.schemas.ts'
import { Review } from '../reviews/reviews.schemas.ts'

const fields = {
  text: z.string(),
  extended_text: z.string().nullable(),
  sequence_number: z.number().int().meta({ description: 'From 0, growing, with gaps; what a resumed stream names' }),
}
const plain = { subtype: z.null(), ...fields }
const elapsed_ms = z.number().meta({ description: 'Milliseconds since the request began' })

const Metadata = z
  .object({
    type: z.literal('metadata'),
    ...plain,
    data: z.object({ message_id: ObjectId }),
    elapsed_ms: z.null(),
  })
  .meta({ id: 'MetadataEvent', description: 'The first event: the id of the message' })

const Ping = z
  .object({ type: z.literal('ping'), ...plain, data: z.null() })
  .meta({ id: 'PingEvent', description: 'Nothing new yet' })

const Delta = z
  .object({ type: z.enum(['reasoning', 'response']), ...plain, data: z.null() })
  .meta({ id: 'DeltaEvent', description: 'A piece of the reasoning or of the answer: concatenate `text`' })

const EndReasoning = z
  .object({ type: z.literal('end_reasoning'), ...plain, data: z.null() })
  .meta({ id: 'EndReasoningEvent', description: 'The reasoning is complete' })

const EndResponse = z
  .object({
    type: z.literal('end_response'),
    ...plain,
    data: z.object({ message_id: ObjectId, citations: z.array(Citation) }),
  })
  .meta({ id: 'EndResponseEvent', description: 'The answer is complete; the passages that it relies on' })

const ToolPreview = z
  .object({
    title: z.string(),
    content: z.string(),
    content_type: z
      .string()
      .meta({ description: 'text, markdown, json, html, image, or one that a later version adds' }),
    status: z.enum(['completed', 'error']),
  })
  .meta({ id: 'ToolPreview', description: "Preview of a tool call's result" })

const LiveUpdate = z
  .object({
    type: z.literal('live_update'),
    ...fields,
    subtype: z.enum(['tool_call_start', 'tool_call_result', 'tool_call_end']),
    data: z.object({
      tool_name: z.string(),
      preview: ToolPreview.nullable(),
      tool_call_id: z.string().meta({ description: 'Id of the call, in all of its updates' }),
      arguments: z.record(z.string(), z.unknown()).nullable().optional().meta({
        description:
          'At the start: what the tool is called with; in a result: what a person changed that to. Null where it is long',
      }),
      agent: z
        .object({ id: ObjectId, name: z.string() })
        .optional()
        .meta({ description: 'The sub-agent that makes the call' }),
      parent_tool_call_id: z.string().optional().meta({ description: 'The call that put the sub-agent to work' }),
    }),
    elapsed_ms,
  })
  .meta({ id: 'LiveUpdateEvent', description: 'A step of the agent' })

const ReviewRequest = z
  .object({ type: z.literal('review_request'), ...plain, data: z.object({ message_id: ObjectId, review: Review }) })
  .meta({
    id: 'ReviewRequestEvent',
    description:
      'The run waits for a person; `text` says what is asked. A query ends with [DONE] here; the events of the message go on after the review.',
  })

const Failure = z
  .object({ type: z.literal('error'), ...plain, data: z.null() })
  .meta({ id: 'ErrorEvent', description: 'The run failed; `text` says why. Nothing but [DONE] follows' })

/** The JSON of one `data:` line of a stream. A client ignores types and fields that it does not know. */
export const StreamEvent = z
  .discriminatedUnion('type', [Metadata, Ping, Delta, EndReasoning, EndResponse, LiveUpdate, ReviewRequest, Failure])
  .meta({
    id: 'StreamEvent',
    description:
      'The JSON of one `data:` line. The last line is `data: [DONE]`. More types and fields may come: ignore what you do not know.',
  })
export type StreamEvent = z.infer<typeof StreamEvent>
