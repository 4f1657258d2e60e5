import type { OnlineMigration } from '../platform/database/migrate.ts'

/** OpenID Connect providers that workspaces set up by themselves. Processes that do not know them do not offer them. */
export const ownSignInProviders: OnlineMigration = {
  worksWith: '0093-scim',
  async up(db) {
    await db.schema
      .createTable('sign_in_provider')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('config', 'text', (column) => column.notNull())
      .addColumn('secret', 'text')
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sign_in_provider_of').on('sign_in_provider').column('workspace_id').execute()
  },
}
