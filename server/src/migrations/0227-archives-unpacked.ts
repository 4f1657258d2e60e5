import type { OnlineMigration } from '../platform/database/migrate.ts'

/** How far an archive is unpacked, for those that are to become a folder. */
export const archivesUnpacked: OnlineMigration = {
  worksWith: '0226-cases-counted-once',
  async up(db) {
    await db.schema.alterTable('data_source').addColumn('unpacking', 'text').execute()
  },
}
