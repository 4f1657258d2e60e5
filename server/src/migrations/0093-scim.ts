import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * People as the directory of a company describes them by SCIM. Processes that do not know the table would let somebody
 * in whom the directory has ended, so they refuse to start beside this schema.
 */
export const scim: OnlineMigration = {
  async up(db) {
    await db.schema
      .createTable('scim_user')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('user_name', 'text', (column) => column.notNull())
      .addColumn('user_name_key', 'text', (column) => column.notNull())
      .addColumn('external_id', 'text')
      .addColumn('display_name', 'text')
      .addColumn('names', 'text', (column) => column.notNull())
      .addColumn('is_active', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('scim_user_email', ['workspace_id', 'email'])
      .addUniqueConstraint('scim_user_name', ['workspace_id', 'user_name_key'])
      .execute()
    await db.schema
      .createIndex('scim_user_external_id')
      .on('scim_user')
      .columns(['workspace_id', 'external_id'])
      .execute()
  },
}
