import { sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Chats may be archived and pinned, and pinned answers are listed. Older processes show archived chats as before. */
export const archivedChats: OnlineMigration = {
  worksWith: '0103-account-language',
  async up(db) {
    for (const name of ['is_archived', 'is_pinned'])
      await db.schema
        .alterTable('chat')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    // Few messages are pinned: all others cost the index nothing.
    await db.schema
      .createIndex('message_pinned')
      .on('message')
      .columns(['organization_id', 'chat_id'])
      .where(sql.ref('is_pinned'), '=', sql.lit(1))
      .execute()
  },
}
