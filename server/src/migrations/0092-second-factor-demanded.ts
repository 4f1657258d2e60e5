import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * A workspace may demand a second factor of its members. Processes that do not know the column would let people in
 * without one, so they refuse to start beside this schema.
 */
export const secondFactorDemanded: OnlineMigration = {
  async up(db) {
    await db.schema
      .alterTable('workspace')
      .addColumn('demands_second_factor', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
