import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Logins of people at providers of documents. Older processes fail syncs that need one, and plan them again. */
export const sourceLogins: OnlineMigration = {
  worksWith: '0204-integration-items',
  async up(db) {
    await db.schema
      .createTable('source_connection')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('integration_id', 'text', (column) => column.references('integration.id').onDelete('cascade'))
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('connected_by', 'text', (column) => column.notNull())
      .addColumn('connected_at', 'text', (column) => column.notNull())
      .addColumn('grant_data', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addColumn('lost_at', 'text')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('renewing_until', 'text')
      .execute()
    await db.schema
      .createIndex('source_connection_integration')
      .on('source_connection')
      .columns(['organization_id', 'integration_id'])
      .execute()
    await db.schema
      .createTable('source_login')
      .addColumn('state_hash', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('holder_id', 'text', (column) => column.notNull())
      .addColumn('verifier', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
  },
}
