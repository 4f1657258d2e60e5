import type { Selectable } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/prepared.ts'
import type { ChatMemoryTable } from './memory.tables.ts'

/** A place in the order of a chat's messages. */
export interface Place {
  createdAt: string
  id: string
}

export interface Summary {
  text: string
  /** The newest message that it tells of. */
  covers: Place
  /** How many messages it tells of. */
  turns: number
}

export interface ChatMemory {
  version: number
  summary: Summary | undefined
}

export const isAfter = (a: Place, b: Place): boolean =>
  a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id)

const rowOfChat = prepared<Tables, { organizationId: string; chatId: string }, Selectable<ChatMemoryTable>>(
  (db, { organizationId, chatId }) =>
    db
      .selectFrom('chat_memory')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('chat_id', '=', chatId),
)

export async function findChatMemory(db: Db, organizationId: string, chatId: string): Promise<ChatMemory> {
  const { rows } = await rowOfChat(db, { organizationId, chatId })
  if (!rows[0]) return { version: 0, summary: undefined }
  const { version, summary: text, covers_created_at: createdAt, covers_id: id, turns } = rows[0]
  const isThere = text !== null && createdAt !== null && id !== null
  return { version, summary: isThere ? { text, covers: { createdAt, id }, turns } : undefined }
}

/**
 * Keeps a summary if nothing happened to the chat's memory since `version` was read.
 * @returns false when something did, or the chat is gone: the summary may tell of what was deleted.
 */
export async function putSummary(
  tx: Tx,
  organizationId: string,
  chatId: string,
  written: { version: number; summary: Summary; budgetTokens: number; model: string; at: string },
): Promise<boolean> {
  const { version, summary, budgetTokens, model, at } = written
  const columns = {
    version: version + 1,
    summary: summary.text,
    covers_created_at: summary.covers.createdAt,
    covers_id: summary.covers.id,
    turns: summary.turns,
    budget_tokens: budgetTokens,
    model,
    updated_at: at,
  }
  if (version === 0) await insertRow(tx, organizationId, chatId, at)
  const { numUpdatedRows } = await tx
    .updateTable('chat_memory')
    .set(columns)
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Takes what was deleted out of the memory of a chat: a summary that tells of it goes, and one that is just being
 * written will not be kept.
 * @param first the oldest message that was deleted
 * @returns for what budget the summary was made that went, if one did.
 */
export async function forgetFrom(
  tx: Tx,
  organizationId: string,
  chatId: string,
  first: Place,
  at: string,
): Promise<number | undefined> {
  await insertRow(tx, organizationId, chatId, at)
  await tx
    .updateTable('chat_memory')
    .set((set) => ({ version: set('version', '+', 1), updated_at: at }))
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .execute()
  const gone = await tx
    .updateTable('chat_memory')
    .set({ summary: null, covers_created_at: null, covers_id: null, turns: 0, model: null })
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .where(({ or, and, eb }) =>
      or([
        eb('covers_created_at', '>', first.createdAt),
        and([eb('covers_created_at', '=', first.createdAt), eb('covers_id', '>=', first.id)]),
      ]),
    )
    .returning('budget_tokens')
    .executeTakeFirst()
  return gone?.budget_tokens ?? undefined
}

/** An empty row, for a chat that is there and has none. */
async function insertRow(tx: Tx, organizationId: string, chatId: string, at: string): Promise<void> {
  await tx
    .insertInto('chat_memory')
    .columns(['chat_id', 'organization_id', 'version', 'turns', 'updated_at'])
    .expression(
      tx
        .selectFrom('chat')
        .select(({ val }) => ['id', 'organization_id', val(0).as('version'), val(0).as('turns'), val(at).as('at')])
        .where('organization_id', '=', organizationId)
        .where('id', '=', chatId),
    )
    .onConflict((conflict) => conflict.column('chat_id').doNothing())
    .execute()
}
