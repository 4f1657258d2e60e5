import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Order of the passages that people add at one place. Older processes write them in the order of their making. */
export const passagePositions: OnlineMigration = {
  worksWith: '0240-source-apps',
  async up(db) {
    await db.schema
      .alterTable('passage_edit')
      .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
