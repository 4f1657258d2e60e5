import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Adds the history of background tasks that were begun more than once; others have no row. */
export const taskTroubles: OnlineMigration = {
  worksWith: '0011-shared-limits',
  async up(db) {
    await db.schema
      .createTable('task_trouble')
      .addColumn('task_id', 'text', (column) => column.primaryKey())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('losses', 'integer', (column) => column.notNull())
      .addColumn('deaths', 'integer', (column) => column.notNull())
      .addColumn('process_id', 'text')
      .addColumn('noted_at', 'text', (column) => column.notNull())
      .execute()
  },
}
