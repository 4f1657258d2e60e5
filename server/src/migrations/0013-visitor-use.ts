import type { Migration } from 'kysely/migration'

/** Adds the usage of links by visitors, by day. */
export const visitorUse: Migration = {
  async up(db) {
    await db.schema
      .createTable('visitor_use')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('link_id', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('files', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('chats', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('visitor_use_pk', ['organization_id', 'link_id', 'subject', 'day'])
      .execute()
    await db.schema.createIndex('visitor_use_day').on('visitor_use').column('day').execute()
  },
}
