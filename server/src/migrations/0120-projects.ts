import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Projects: a folder, instructions and chats in one place. A project goes with its folder, and its chats leave it. Older
 * processes answer in such chats without the project.
 */
export const projects: OnlineMigration = {
  worksWith: '0103-account-language',
  async up(db) {
    await db.schema
      .createTable('project')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('member_id', 'text')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('instructions', 'text', (column) => column.notNull())
      .addColumn('knowledge_base_id', 'text', (column) => column.notNull().references('folder.id').onDelete('cascade'))
      .addColumn('agent_id', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('project_of_workspace')
      .on('project')
      .columns(['organization_id', 'workspace_id', 'name_key'])
      .execute()
    await db.schema.createIndex('project_of_folder').on('project').column('knowledge_base_id').execute()
    await db.schema
      .alterTable('chat')
      .addColumn('project_id', 'text', (column) => column.references('project.id').onDelete('set null'))
      .execute()
    await db.schema
      .createIndex('chat_of_project')
      .on('chat')
      .column('project_id')
      .where('project_id', 'is not', null)
      .execute()
  },
}
