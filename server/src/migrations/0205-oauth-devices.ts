import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Programs without a browser that log in with a code. Older processes know no such login. */
export const oauthDevices: OnlineMigration = {
  worksWith: '0203-oauth',
  async up(db) {
    await db.schema
      .createTable('oauth_device')
      .addColumn('device_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_code_hash', 'text', (column) => column.notNull().unique())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('polled_at', 'text')
      .addColumn('poll_interval', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('oauth_device_expires').on('oauth_device').columns(['expires_at']).execute()
  },
}
