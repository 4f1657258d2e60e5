import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Rerankers that workspaces chose. Processes that do not know them leave them as they are. */
export const reranking: OnlineMigration = {
  worksWith: '0110-model-providers',
  async up(db) {
    await db.schema.alterTable('model_defaults').addColumn('reranking', 'text').execute()
  },
}
