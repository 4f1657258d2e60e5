import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Chats know the virtual user whose they are, and workspaces the origins whose pages may call with the token of one.
 * Chats of processes that do not know either are nobody's.
 */
export const userTokens: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema
      .createTable('browser_origin')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('browser_origin_pk', ['organization_id', 'workspace_id', 'origin'])
      .execute()
    await db.schema.createIndex('browser_origin_of_all').on('browser_origin').column('origin').execute()
    await db.schema.alterTable('chat').addColumn('virtual_user_id', 'text').execute()
    await db.schema
      .createIndex('chat_of_virtual_user')
      .on('chat')
      .columns(['organization_id', 'virtual_user_id', 'agent_id'])
      .where('virtual_user_id', 'is not', null)
      .execute()
  },
}
