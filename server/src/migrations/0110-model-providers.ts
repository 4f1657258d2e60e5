import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Providers of models that workspaces set up, and their choices. Processes that do not know them use the environment. */
export const modelProviders: OnlineMigration = {
  worksWith: '0105-idempotent-requests',
  async up(db) {
    await db.schema
      .createTable('model_provider')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('base_url', 'text')
      .addColumn('api_key', 'text')
      .addColumn('key_hint', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('model_provider_key', ['workspace_id', 'name'])
      .execute()
    await db.schema
      .createTable('model_defaults')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.primaryKey().references('workspace.id'))
      .addColumn('answers', 'text')
      .addColumn('summaries', 'text')
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
  },
}
