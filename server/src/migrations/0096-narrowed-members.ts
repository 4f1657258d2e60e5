import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Members know when rights to folders were last taken from them. Processes that do not know the column would not note it
 * when they narrow rights, so they refuse to start beside this schema.
 */
export const narrowedMembers: OnlineMigration = {
  async up(db) {
    await db.schema.alterTable('member').addColumn('narrowed_at', 'text').execute()
  },
}
