import type { ReviewRecord } from './reviews.store.ts'

/** A review as it goes over the wire, in replies, streams and the inbox. */
export type ReviewOnWire = ReturnType<typeof toReview>

export const toReview = (review: ReviewRecord) => ({
  id: review.id,
  kind: review.kind,
  status: review.status,
  agent_id: review.agentId,
  chat_id: review.chatId,
  message_id: review.messageId,
  asked_by: review.askedBy,
  tool_name: review.toolName,
  text: review.text,
  arguments: review.arguments,
  changed_arguments: review.changedArguments,
  options: [...review.options],
  note: review.note,
  decided_at: review.decidedAt,
  decided_by: review.decidedBy,
  created_at: review.createdAt,
  expires_at: review.expiresAt,
})
