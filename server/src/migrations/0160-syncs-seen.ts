import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Progress and problems of a sync, and integrations that are paused. Older processes show them as idle ones. */
export const syncsSeen: OnlineMigration = {
  worksWith: '0120-projects',
  async up(db) {
    await db.schema.alterTable('integration').addColumn('progress', 'text').execute()
    await db.schema.alterTable('integration').addColumn('problems', 'text').execute()
    await db.schema.alterTable('integration').addColumn('paused_at', 'text').execute()
  },
}
