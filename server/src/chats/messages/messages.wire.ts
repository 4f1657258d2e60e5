import { dollarsOf } from '../../usage/usage.ts'
import { linksOf, type OutputFile } from '../outputs/outputs.service.ts'
import type { ReviewRecord } from '../reviews/reviews.store.ts'
import { toReview } from '../reviews/reviews.wire.ts'
import type { ChatFile } from './message-files.store.ts'
import type { ShownMessage, UsedOfMessage } from './messages.history.store.ts'
import type { MessageUsage } from './messages.schemas.ts'

/** Parts shown beside a message; left out where nobody asked for them. */
export interface Beside {
  review?: ReviewRecord
  /** Files that its tools made. */
  files?: OutputFile[]
  /** Files that came with the query. */
  sent?: ChatFile[]
  usage?: MessageUsage | null
  /** It and its other versions, if there are any. */
  versions?: string[] | undefined
}

/** A message as it goes over the wire: in replies, in the history, and, in part, in webhooks. */
export const toWire = (message: ShownMessage, { review, files, sent, usage, versions }: Beside) => ({
  id: message.id,
  query: message.query,
  response: message.response,
  chat_id: message.chatId,
  agent_id: message.agentId,
  created_at: message.createdAt,
  updated_at: message.updatedAt,
  message_type: message.messageType,
  is_pinned: message.isPinned === 1,
  reasoning: message.reasoning,
  ai_resolution_status: message.status,
  review: review ? toReview(review) : null,
  error_message: message.errorMessage,
  quick_action_id: message.quickActionId,
  quick_action_fields_with_values: message.quickActionFields === '[]' ? [] : JSON.parse(message.quickActionFields),
  citations: message.citations === '[]' ? [] : JSON.parse(message.citations),
  feedback: message.feedbackRating && { rating: message.feedbackRating, comment: message.feedbackComment },
  // Undefined and so not sent, rather than absent: objects of one shape are quicker to write.
  downloadable_output: files && linksOf(files),
  output_files: files?.map(toOutputFile),
  uploaded_files: sent?.map(toUploadedFile),
  usage,
  versions,
  asked_model: message.askedModel ?? undefined,
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
export const usageOf = ({ model, ...used }: UsedOfMessage): MessageUsage | null =>
  model === null
    ? null
    : {
        input_tokens: used.inputTokens,
        cached_input_tokens: used.cachedInputTokens,
        output_tokens: used.outputTokens,
        reasoning_tokens: used.reasoningTokens,
        cost_usd: dollarsOf(used.costMicros),
        model,
      }
