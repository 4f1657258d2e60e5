import { PostgresAdapter, sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * No index holds what each message changes in its chat, so that PostgreSQL updates the row in its place instead of
 * writing six index entries twice a query. Lists that sort by it read all chats of their agent, as the one by the last
 * message always did: an index has its nulls on the other side. SQLite updates only the index that changes, and keeps both.
 */
export const hotChats: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
    for (const column of ['last_message_at', 'total_tokens'])
      await db.schema.dropIndex(`chat_by_${column}`).ifExists().execute()
    // Room for the next version of a row beside it, also where a page is full of older chats.
    await sql`alter table chat set (fillfactor = 95)`.execute(db)
  },
}
