import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Apps at providers of documents that workspaces registered. Older processes know those of the environment only, and fail
 * syncs that need another.
 */
export const sourceApps: OnlineMigration = {
  worksWith: '0239-transcripts',
  async up(db) {
    await db.schema
      .createTable('source_app')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_secret', 'text', (column) => column.notNull())
      .addColumn('secret_hint', 'text')
      .addColumn('tenant', 'text')
      .addColumn('authorize_url', 'text')
      .addColumn('token_url', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('source_app_pk', ['workspace_id', 'provider'])
      .execute()
    await db.schema.alterTable('source_connection').addColumn('app_workspace_id', 'text').execute()
    await db.schema.alterTable('source_connection').addColumn('app_hash', 'text').execute()
  },
}
