import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Models that workspaces chose for the titles of chats. Processes that do not know them leave titles as they are. */
export const titlesByModels: OnlineMigration = {
  worksWith: '0110-model-providers',
  async up(db) {
    await db.schema.alterTable('model_defaults').addColumn('titles', 'text').execute()
  },
}
