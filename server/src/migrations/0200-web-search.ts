import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Providers of web search that workspaces set up. Older processes let agents answer without the tool. */
export const webSearch: OnlineMigration = {
  worksWith: '0160-syncs-seen',
  async up(db) {
    await db.schema
      .createTable('web_search')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.primaryKey().references('workspace.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('base_url', 'text')
      .addColumn('api_key', 'text')
      .addColumn('key_hint', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
  },
}
