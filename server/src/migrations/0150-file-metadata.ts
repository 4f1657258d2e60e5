import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Metadata of files, and filters by it: of agents, of jobs and of questions; and the folders of jobs. Older processes
 * leave filters out of account.
 */
export const fileMetadata: OnlineMigration = {
  worksWith: '0120-projects',
  async up(db) {
    await db.schema
      .alterTable('data_source')
      .addColumn('metadata', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
    await db.schema
      .createTable('data_source_metadata')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('data_source_id', 'text', (column) =>
        column.notNull().references('data_source.id').onDelete('cascade'),
      )
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('text_value', 'text')
      .addColumn('number_value', 'double precision')
      .addPrimaryKeyConstraint('data_source_metadata_key', ['data_source_id', 'key', 'position'])
      .execute()
    await db.schema
      .createIndex('data_source_metadata_text')
      .on('data_source_metadata')
      .columns(['organization_id', 'key', 'text_value'])
      .execute()
    await db.schema
      .createIndex('data_source_metadata_number')
      .on('data_source_metadata')
      .columns(['organization_id', 'key', 'number_value'])
      .execute()
    await db.schema.alterTable('agent').addColumn('filters', 'text').execute()
    await db.schema.alterTable('agent_job').addColumn('knowledge_base_ids', 'text').execute()
    await db.schema.alterTable('agent_job').addColumn('filters', 'text').execute()
    await db.schema.alterTable('message').addColumn('filters', 'text').execute()
  },
}
