import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Chats of clients that repeat the whole conversation with each question. Processes that do not know it answer alike. */
export const openAiChats: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema
      .createTable('openai_chat')
      .addColumn('chat_id', 'text', (column) => column.primaryKey().references('chat.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('openai_chat_at')
      .on('openai_chat')
      .columns(['organization_id', 'digest', 'updated_at'])
      .execute()
  },
}
