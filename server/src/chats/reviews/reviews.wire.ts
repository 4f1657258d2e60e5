import type { ReviewRow } from './reviews.store.ts'

/** A review as it goes over the wire, in replies, streams and the inbox. */
export type ReviewOnWire = ReturnType<typeof toReview>

export const toReview = (row: ReviewRow) => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  agent_id: row.agent_id,
  chat_id: row.chat_id,
  message_id: row.message_id,
  asked_by: row.asked_by,
  tool_name: row.tool_name,
  text: row.text,
  arguments: row.arguments === null ? null : (JSON.parse(row.arguments) as Record<string, unknown>),
  changed_arguments:
    row.changed_arguments === null ? null : (JSON.parse(row.changed_arguments) as Record<string, unknown>),
  options: JSON.parse(row.options) as string[],
  note: row.note,
  decided_at: row.decided_at,
  decided_by: row.decided_by,
  created_at: row.created_at,
  expires_at: row.expires_at,
})
