import type { Migration } from 'kysely/migration'

/** Folders that a question is to be answered from, where its sender named some of the agent's. */
export const questionFolders: Migration = {
  async up(db) {
    await db.schema.alterTable('message').addColumn('knowledge_base_ids', 'text').execute()
  },
}
