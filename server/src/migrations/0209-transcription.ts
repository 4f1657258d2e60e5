import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Models that workspaces chose for speech. Processes that do not know them leave them as they are. */
export const transcription: OnlineMigration = {
  worksWith: '0110-model-providers',
  async up(db) {
    await db.schema.alterTable('model_defaults').addColumn('transcription', 'text').execute()
  },
}
