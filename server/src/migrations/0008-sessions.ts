import type { Migration } from 'kysely/migration'

/** Sessions of the web UI: a browser holds a token, and the key stays at the server. */
export const sessions: Migration = {
  async up(db) {
    await db.schema
      .createTable('web_session')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('key_id', 'text', (column) => column.notNull().references('api_key.id'))
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('last_used_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('web_session_expired')
      .on('web_session')
      .columns(['organization_id', 'expires_at'])
      .execute()
  },
}
