import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { ChatShareTable } from '../chats.tables.ts'
import type { ShownMessage } from '../messages/messages.history.store.ts'
import { columnsOf } from '../messages/messages.store.ts'

export interface ChatShare {
  /** Secret part of the link. */
  id: string
  workspaceId: string
  agentId: string
  chatId: string
  /** Member who shared it. */
  memberId: string
  /** Messages that are shown, oldest first; null for all that the chat shows now. */
  messageIds: string[] | null
  createdAt: string
  updatedAt: string
}

/** A share with the title of its chat. */
export interface TitledShare extends ChatShare {
  title: string
}

const toShare = (row: Selectable<ChatShareTable>): ChatShare => ({
  id: row.id,
  workspaceId: row.workspace_id,
  agentId: row.agent_id,
  chatId: row.chat_id,
  memberId: row.member_id,
  messageIds: row.message_ids === null ? null : JSON.parse(row.message_ids),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const selectShares = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('chat_share')
    .innerJoin('chat', 'chat.id', 'chat_share.chat_id')
    .where('chat_share.organization_id', '=', organizationId)
    .where('chat.organization_id', '=', organizationId)
    .where('chat_share.workspace_id', '=', workspaceId)

/** Shares a chat, or changes what is shown of one that is shared already. @returns the share, with the id that it had before */
export async function putShare(tx: Tx, organizationId: string, share: ChatShare): Promise<ChatShare> {
  const messageIds = share.messageIds && JSON.stringify(share.messageIds)
  const row = await tx
    .insertInto('chat_share')
    .values({
      id: share.id,
      organization_id: organizationId,
      workspace_id: share.workspaceId,
      agent_id: share.agentId,
      chat_id: share.chatId,
      member_id: share.memberId,
      message_ids: messageIds,
      created_at: share.createdAt,
      updated_at: share.updatedAt,
    })
    .onConflict((conflict) =>
      conflict
        .column('chat_id')
        .doUpdateSet({ message_ids: messageIds, member_id: share.memberId, updated_at: share.updatedAt }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toShare(row)
}

export async function findShare(
  db: Db,
  organizationId: string,
  workspaceId: string,
  id: string,
): Promise<TitledShare | undefined> {
  const row = await selectShares(db, organizationId, workspaceId)
    .selectAll('chat_share')
    .select('chat.title')
    .where('chat_share.id', '=', id)
    .executeTakeFirst()
  return row && { ...toShare(row), title: row.title }
}

/** Shares of a member, the newest first. */
export async function listShares(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { memberId, chatId, limit, offset }: { memberId: string; chatId?: string | undefined; limit: number; offset: number },
): Promise<{ shares: TitledShare[]; total: number }> {
  const matching = () => {
    const own = selectShares(db, organizationId, workspaceId).where('chat_share.member_id', '=', memberId)
    return chatId === undefined ? own : own.where('chat_share.chat_id', '=', chatId)
  }
  const { total } = await matching()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching()
    .selectAll('chat_share')
    .select('chat.title')
    .orderBy('chat_share.created_at', 'desc')
    .orderBy('chat_share.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { shares: rows.map((row) => ({ ...toShare(row), title: row.title })), total: Number(total) }
}

/** @returns false where there was none */
export async function deleteShare(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('chat_share')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ids of the completed messages that a chat shows now, oldest first. */
export async function listShownIds(db: Db, organizationId: string, chatId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .where('is_aside', '=', 0)
    .where('status', '=', 'completed')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

const READ = ['id', 'query', 'response', 'createdAt', 'errorMessage', 'citations'] as const
export type ReadMessage = Pick<ShownMessage, (typeof READ)[number]>

/** Some messages of a chat, oldest first; those that were deleted are left out. */
export async function listReadMessages(
  db: Db,
  organizationId: string,
  chatId: string,
  ids: string[],
): Promise<ReadMessage[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('message')
    .select(columnsOf(READ))
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .where('id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
