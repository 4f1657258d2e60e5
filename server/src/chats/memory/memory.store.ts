import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { ChatMemoryTable } from './memory.tables.ts'

/** Cursor in the order of a chat's messages. */
export interface Cursor {
  createdAt: string
  id: string
}

export interface Summary {
  text: string
  /** Newest message that it covers. */
  covers: Cursor
  /** Number of messages that it covers. */
  turns: number
}

export interface ChatMemory {
  version: number
  summary: Summary | undefined
}

export const isAfter = (a: Cursor, b: Cursor): boolean =>
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

/** An empty row, for a chat that is there and has none. */
const insertRow = prepared<Tables, { organizationId: string; chatId: string; at: string }, unknown>((db, of) =>
  db
    .insertInto('chat_memory')
    .columns(['chat_id', 'organization_id', 'version', 'turns', 'updated_at'])
    .expression(
      db
        .selectFrom('chat')
        .select(({ val }) => [
          'id',
          'organization_id',
          sql.lit(0).as('version'),
          sql.lit(0).as('turns'),
          val(of.at).as('at'),
        ])
        .where('organization_id', '=', of.organizationId)
        .where('id', '=', of.chatId),
    )
    .onConflict((conflict) => conflict.column('chat_id').doNothing()),
)

type SummaryRow = Omit<Selectable<ChatMemoryTable>, 'organization_id' | 'chat_id'>

const updateSummary = prepared<
  Tables,
  SummaryRow & { organizationId: string; chatId: string; readVersion: number },
  unknown
>((db, row) =>
  db
    .updateTable('chat_memory')
    .set({
      version: row.version,
      summary: row.summary,
      covers_created_at: row.covers_created_at,
      covers_id: row.covers_id,
      turns: row.turns,
      budget_tokens: row.budget_tokens,
      model: row.model,
      updated_at: row.updated_at,
    })
    .where('organization_id', '=', row.organizationId)
    .where('chat_id', '=', row.chatId)
    .where('version', '=', row.readVersion),
)

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
  if (version === 0) await insertRow(tx, { organizationId, chatId, at })
  const { numAffectedRows } = await updateSummary(tx, {
    organizationId,
    chatId,
    readVersion: version,
    version: version + 1,
    summary: summary.text,
    covers_created_at: summary.covers.createdAt,
    covers_id: summary.covers.id,
    turns: summary.turns,
    budget_tokens: budgetTokens,
    model,
    updated_at: at,
  })
  return numAffectedRows === 1n
}

/** Sees to it that a summary that is just being written will not be kept. */
export async function changeVersion(tx: Tx, organizationId: string, chatId: string, at: string): Promise<void> {
  await insertRow(tx, { organizationId, chatId, at })
  await tx
    .updateTable('chat_memory')
    .set((set) => ({ version: set('version', '+', 1), updated_at: at }))
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .execute()
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
  first: Cursor,
  at: string,
): Promise<number | undefined> {
  await changeVersion(tx, organizationId, chatId, at)
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
