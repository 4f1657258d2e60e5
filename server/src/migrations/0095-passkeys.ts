import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Passkeys of accounts, and the challenges that were answered, each of which counts once. Processes that do not know
 * them would let somebody who has a passkey in by the password alone, so they refuse to start beside this schema.
 */
export const passkeys: OnlineMigration = {
  async up(db) {
    await db.schema
      .createTable('passkey')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('credential_id', 'text', (column) => column.notNull().unique())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('last_used_at', 'text')
      .execute()
    await db.schema.createIndex('passkey_account').on('passkey').column('account_id').execute()
    await db.schema
      .createTable('used_challenge')
      .addColumn('challenge_hash', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
  },
}
