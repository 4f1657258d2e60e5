import type { OnlineMigration } from '../platform/database/migrate.ts'

/** People at OpenID Connect providers, and the accounts that are theirs. Processes that do not know them offer passwords. */
export const signInProviders: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema
      .createTable('account_identity')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('provider_id', 'text', (column) => column.notNull())
      .addColumn('linked_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('used_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('account_identity_once', ['issuer', 'subject'])
      .execute()
    await db.schema.createIndex('account_identity_of_account').on('account_identity').column('account_id').execute()
  },
}
