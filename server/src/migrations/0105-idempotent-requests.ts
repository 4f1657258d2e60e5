import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Requests that were sent with an Idempotency-Key, and their answers. Processes that do not know it answer as before. */
export const idempotentRequests: OnlineMigration = {
  worksWith: '0104-looks-of-links',
  async up(db) {
    await db.schema
      .createTable('idempotent_request')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('key_digest', 'text', (column) => column.notNull())
      .addColumn('request_digest', 'text', (column) => column.notNull())
      .addColumn('process_id', 'text', (column) => column.notNull())
      .addColumn('status', 'integer')
      .addColumn('answer', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotent_request_key', ['organization_id', 'key_digest'])
      .execute()
    await db.schema.createIndex('idempotent_request_age').on('idempotent_request').column('created_at').execute()
  },
}
