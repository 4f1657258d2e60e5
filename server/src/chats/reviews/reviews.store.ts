import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type ReviewedChats, selectChatsForReview } from '../chat/chats.store.ts'
import type { ReviewTable } from '../chats.tables.ts'

export type ReviewStatus = ReviewTable['status']

/** Question of a run to a person. */
export interface ReviewRecord {
  id: string
  organizationId: string
  workspaceId: string
  /** Agent of the chat. */
  agentId: string
  chatId: string
  messageId: string
  /** Agent of the chat, or one of its sub-agents. */
  askedBy: string
  kind: ReviewTable['kind']
  toolName: string
  text: string
  /** Arguments of the call that is to be approved. */
  arguments: Record<string, unknown> | null
  /** Arguments that the call ran with instead. */
  changedArguments: Record<string, unknown> | null
  /** Answers to choose from. */
  options: readonly string[]
  status: ReviewStatus
  note: string | null
  decidedAt: string | null
  /** The API key. */
  decidedBy: string | null
  createdAt: string
  expiresAt: string
}

const toRecord = (row: Selectable<ReviewTable>): ReviewRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  agentId: row.agent_id,
  chatId: row.chat_id,
  messageId: row.message_id,
  askedBy: row.asked_by,
  kind: row.kind,
  toolName: row.tool_name,
  text: row.text,
  arguments: row.arguments === null ? null : JSON.parse(row.arguments),
  changedArguments: row.changed_arguments === null ? null : JSON.parse(row.changed_arguments),
  options: JSON.parse(row.options),
  status: row.status,
  note: row.note,
  decidedAt: row.decided_at,
  decidedBy: row.decided_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

export async function insertReview(
  tx: Tx,
  organizationId: string,
  review: Omit<ReviewRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('review')
    .values({
      id: review.id,
      organization_id: organizationId,
      workspace_id: review.workspaceId,
      agent_id: review.agentId,
      chat_id: review.chatId,
      message_id: review.messageId,
      asked_by: review.askedBy,
      kind: review.kind,
      tool_name: review.toolName,
      text: review.text,
      arguments: review.arguments && JSON.stringify(review.arguments),
      changed_arguments: review.changedArguments && JSON.stringify(review.changedArguments),
      options: JSON.stringify(review.options),
      status: review.status,
      note: review.note,
      decided_at: review.decidedAt,
      decided_by: review.decidedBy,
      created_at: review.createdAt,
      expires_at: review.expiresAt,
    })
    .execute()
}

const selectPending = (db: Db, organizationId: string, messageIds: readonly string[]) =>
  db
    .selectFrom('review')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .where('status', '=', 'pending')

/** The open review of a message. */
export async function findPendingReview(
  db: Db,
  organizationId: string,
  messageId: string,
): Promise<ReviewRecord | undefined> {
  const row = await selectPending(db, organizationId, [messageId]).executeTakeFirst()
  return row && toRecord(row)
}

export async function listPendingReviews(
  db: Db,
  organizationId: string,
  messageIds: readonly string[],
): Promise<ReviewRecord[]> {
  if (messageIds.length === 0) return []
  return (await selectPending(db, organizationId, messageIds).execute()).map(toRecord)
}

/** Ids of messages that wait: of a chat, or of an agent. */
export async function listWaiting(
  db: Db,
  organizationId: string,
  of: { chatId: string } | { agentId: string },
): Promise<string[]> {
  const pending = db
    .selectFrom('review')
    .select('message_id')
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'pending')
  const rows = await ('chatId' in of
    ? pending.where('chat_id', '=', of.chatId)
    : pending.where('agent_id', '=', of.agentId)
  ).execute()
  return rows.map((row) => row.message_id)
}

/** @returns false when it is decided already. */
export async function closeReview(
  tx: Tx,
  organizationId: string,
  reviewId: string,
  end: Pick<ReviewRecord, 'status' | 'note' | 'decidedAt' | 'decidedBy'> &
    Partial<Pick<ReviewRecord, 'changedArguments'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('review')
    .set({
      status: end.status,
      note: end.note,
      decided_at: end.decidedAt,
      decided_by: end.decidedBy,
      changed_arguments: end.changedArguments && JSON.stringify(end.changedArguments),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', reviewId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) === 1
}

export interface ReviewFilter {
  status?: ReviewStatus
  agentIds?: string[]
  inChats: ReviewedChats
  limit: number
  offset: number
}

/** Newest first. */
export async function listReviews(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { status, agentIds, inChats, limit, offset }: ReviewFilter,
): Promise<{ reviews: ReviewRecord[]; total: number }> {
  // An empty list is no SQL that every database takes.
  if (agentIds?.length === 0) return { reviews: [], total: 0 }
  const matching = () => {
    let query = db
      .selectFrom('review')
      .where('organization_id', '=', organizationId)
      .where('workspace_id', '=', workspaceId)
    if (status) query = query.where('status', '=', status)
    if (agentIds) query = query.where('agent_id', 'in', agentIds)
    query = query.where('chat_id', 'in', selectChatsForReview(db, organizationId, workspaceId, inChats))
    return query
  }
  const { total } = await matching()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching().selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { reviews: rows.map(toRecord), total: Number(total) }
}
