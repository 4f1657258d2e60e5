import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Chats may branch: `leaf_id` is the last message of the branch that is shown, null for a chat without branches.
 * Processes that do not know the columns would answer from all branches at once, so they refuse to start beside this
 * schema.
 */
export const chatBranches: OnlineMigration = {
  async up(db) {
    await db.schema.alterTable('chat').addColumn('leaf_id', 'text').execute()
    await db.schema.alterTable('message').addColumn('parent_id', 'text').execute()
    await db.schema
      .alterTable('message')
      .addColumn('is_aside', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('message').addColumn('asked_model', 'text').execute()
  },
}
