import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Events of files that happened lately, for those who follow a folder. */
export const fileEvents: OnlineMigration = {
  worksWith: '0207-search-indexes',
  async up(db) {
    await db.schema
      .createTable('file_event')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('folder_id', 'text', (column) => column.notNull())
      .addColumn('data_source_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('other_folder_id', 'text')
      .addColumn('number', 'bigint')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('file_event_by_number')
      .on('file_event')
      .columns(['organization_id', 'number'])
      .execute()
    await db.schema
      .createIndex('file_event_by_folder')
      .on('file_event')
      .columns(['organization_id', 'folder_id', 'number'])
      .execute()
    await db.schema.createIndex('file_event_by_age').on('file_event').columns(['created_at']).execute()
  },
}
