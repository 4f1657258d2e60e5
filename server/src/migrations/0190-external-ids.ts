import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Ids that other systems give the files that they push. Older processes move and delete such files as any other. */
export const externalIds: OnlineMigration = {
  worksWith: '0160-syncs-seen',
  async up(db) {
    await db.schema.alterTable('data_source').addColumn('external_id', 'text').execute()
    await db.schema.alterTable('data_source').addColumn('external_updated_at', 'text').execute()
    await db.schema
      .createIndex('data_source_of_external_id')
      .unique()
      .on('data_source')
      .columns(['folder_id', 'external_id'])
      .where('external_id', 'is not', null)
      .execute()
  },
}
