import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type ReviewedChats, selectChatsForReview } from '../chat/chats.store.ts'
import type { ReviewTable } from '../chats.tables.ts'

export type ReviewRow = Selectable<ReviewTable>
export type ReviewStatus = ReviewRow['status']

export async function insertReview(
  tx: Tx,
  organizationId: string,
  review: Omit<ReviewRow, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('review')
    .values({ ...review, organization_id: organizationId })
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
export const findPendingReview = (db: Db, organizationId: string, messageId: string): Promise<ReviewRow | undefined> =>
  selectPending(db, organizationId, [messageId]).executeTakeFirst()

export const listPendingReviews = async (
  db: Db,
  organizationId: string,
  messageIds: readonly string[],
): Promise<ReviewRow[]> => (messageIds.length === 0 ? [] : selectPending(db, organizationId, messageIds).execute())

/** Messages of a chat that wait. */
export async function waitingInChat(db: Db, organizationId: string, chatId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('review')
    .select('message_id')
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .where('status', '=', 'pending')
    .execute()
  return rows.map((row) => row.message_id)
}

/** Messages of an agent that wait. */
export async function waitingOfAgent(db: Db, organizationId: string, agentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('review')
    .select('message_id')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('status', '=', 'pending')
    .execute()
  return rows.map((row) => row.message_id)
}

/** @returns false when it is decided already. */
export async function closeReview(
  tx: Tx,
  organizationId: string,
  reviewId: string,
  change: Pick<ReviewRow, 'status' | 'note' | 'decided_at' | 'decided_by'> & { changed_arguments?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('review')
    .set(change)
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
): Promise<{ reviews: ReviewRow[]; total: number }> {
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
  const reviews = await matching().selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { reviews, total: Number(total) }
}
