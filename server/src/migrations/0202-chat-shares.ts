import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Chats that are shared by link inside their workspace. A share goes with its chat, and with the member who shared it. */
export const chatShares: OnlineMigration = {
  worksWith: '0103-account-language',
  async up(db) {
    await db.schema
      .createTable('chat_share')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('chat_id', 'text', (column) => column.notNull().unique().references('chat.id').onDelete('cascade'))
      .addColumn('member_id', 'text', (column) => column.notNull().references('member.id').onDelete('cascade'))
      .addColumn('message_ids', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('chat_share_of_member').on('chat_share').column('member_id').execute()
  },
}
