import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * An agent may be limited to certain members and groups, whose grants are of the kind `agent_use`. Processes that do not
 * know the column would let everybody use it, so they refuse to start beside this schema.
 */
export const agentUse: OnlineMigration = {
  async up(db) {
    await db.schema
      .alterTable('agent')
      .addColumn('is_restricted', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
