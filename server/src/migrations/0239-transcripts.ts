import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Recordings of folders that were transcribed, and those that are being transcribed. */
export const transcripts: OnlineMigration = {
  worksWith: '0238-speech-usage',
  async up(db) {
    await db.schema
      .createTable('transcript')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('data_source_id', 'text', (column) => column.notNull())
      .addColumn('transcript', 'text')
      .addColumn('model', 'text')
      .addColumn('seconds', 'integer')
      .addColumn('claim', 'text')
      .addColumn('claimed_until', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('transcript_pk', ['organization_id', 'sha256', 'data_source_id'])
      .execute()
    await db.schema
      .createIndex('transcript_by_file')
      .on('transcript')
      .columns(['organization_id', 'data_source_id'])
      .execute()
  },
}
