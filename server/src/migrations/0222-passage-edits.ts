import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Passages of files that people edit, switch off and add. */
export const passageEdits: OnlineMigration = {
  worksWith: '0207-search-indexes',
  async up(db) {
    await db.schema.alterTable('data_source').addColumn('read_parse_blob_key', 'text').execute()
    await db.schema
      .alterTable('data_source')
      .addColumn('edits_version', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('passage_edit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('data_source_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('anchor_hash', 'text', (column) => column.notNull())
      .addColumn('anchor_ordinal', 'integer', (column) => column.notNull())
      .addColumn('anchor_text', 'text', (column) => column.notNull())
      .addColumn('text', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('passage_edit_by_file')
      .on('passage_edit')
      .columns(['organization_id', 'data_source_id', 'id'])
      .execute()
  },
}
