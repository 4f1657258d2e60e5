import { dollarsOf } from '../../usage/usage.ts'
import { linksOf, type OutputFile } from '../outputs/outputs.service.ts'
import type { ReviewRow } from '../reviews/reviews.store.ts'
import { toReview } from '../reviews/reviews.wire.ts'
import type { ChatFile } from './message-files.store.ts'
import type { ShownMessage, UsedOfMessage } from './messages.history.store.ts'
import type { MessageUsage } from './messages.schemas.ts'

/** Parts shown beside a message; left out where nobody asked for them. */
export interface Beside {
  review?: ReviewRow
  /** Files that its tools made. */
  files?: OutputFile[]
  /** Files that came with the query. */
  sent?: ChatFile[]
  usage?: MessageUsage | null
}

/** A message as it goes over the wire: in replies, in the history, and, in part, in webhooks. */
export const toWire = (row: ShownMessage, { review, files, sent, usage }: Beside) => ({
  id: row.id,
  query: row.query,
  response: row.response,
  chat_id: row.chat_id,
  agent_id: row.agent_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  message_type: row.message_type,
  is_pinned: row.is_pinned === 1,
  reasoning: row.reasoning,
  ai_resolution_status: row.status,
  review: review ? toReview(review) : null,
  error_message: row.error_message,
  quick_action_id: row.quick_action_id,
  quick_action_fields_with_values: row.quick_action_fields === '[]' ? [] : JSON.parse(row.quick_action_fields),
  citations: row.citations === '[]' ? [] : JSON.parse(row.citations),
  feedback: row.feedback_rating && { rating: row.feedback_rating, comment: row.feedback_comment },
  // Undefined and so not sent, rather than absent: objects of one shape are quicker to write.
  downloadable_output: files && linksOf(files),
  output_files: files?.map(toOutputFile),
  uploaded_files: sent?.map(toUploadedFile),
  usage,
})

const toOutputFile = ({ key, fileName, mediaType, sizeBytes, url }: OutputFile) => ({
  key,
  file_name: fileName,
  media_type: mediaType,
  size_bytes: sizeBytes,
  url,
})

const toUploadedFile = ({ id, fileName, mediaType, sizeBytes }: ChatFile) => ({
  id,
  file_name: fileName,
  media_type: mediaType,
  size_bytes: sizeBytes,
})

/** Usage as the message tells it; null until it is complete. */
export const usageOf = ({ model, ...row }: UsedOfMessage): MessageUsage | null =>
  model === null
    ? null
    : {
        input_tokens: row.input_tokens,
        cached_input_tokens: row.cached_input_tokens,
        output_tokens: row.output_tokens,
        reasoning_tokens: row.reasoning_tokens,
        cost_usd: dollarsOf(row.cost_micros),
        model,
      }
