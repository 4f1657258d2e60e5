import type { OnlineMigration } from '../platform/database/migrate.ts'

/** How far the indexing of each file is. Files from before have nothing there until they are indexed again. */
export const indexingSeen: OnlineMigration = {
  worksWith: '0207-search-indexes',
  async up(db) {
    await db.schema.alterTable('data_source').addColumn('indexing', 'text').execute()
  },
}
