import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Earlier versions of files whose content was replaced, and which of them searches find meanwhile. */
export const fileVersions: OnlineMigration = {
  worksWith: '0207-search-indexes',
  async up(db) {
    await db.schema
      .alterTable('data_source')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable('data_source').addColumn('served_version', 'integer').execute()
    await db.schema.alterTable('data_source').addColumn('content_origin', 'text').execute()
    await db.schema.alterTable('data_source').addColumn('content_key_id', 'text').execute()
    await db.schema.alterTable('data_source').addColumn('content_at', 'text').execute()
    await db.schema
      .createTable('data_source_version')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('data_source_id', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text')
      .addColumn('virtual_user_id', 'text')
      .addColumn('blob_key', 'text', (column) => column.notNull())
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('media_type', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('replaced_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('data_source_version_key', ['data_source_id', 'version'])
      .execute()
    await db.schema
      .createIndex('data_source_version_by_blob')
      .on('data_source_version')
      .columns(['organization_id', 'blob_key'])
      .execute()
    await db.schema
      .createIndex('data_source_version_by_age')
      .on('data_source_version')
      .columns(['replaced_at'])
      .execute()
  },
}
