import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Second factors of accounts: the secret of an authenticator app, and recovery codes. Processes that do not know them
 * continue letting people in by the password alone.
 */
export const twoFactor: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema
      .createTable('two_factor')
      .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('last_step', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('confirmed_at', 'text')
      .execute()
    await db.schema
      .createTable('recovery_code')
      .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_code_pk', ['account_id', 'code_hash'])
      .execute()
  },
}
