import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Whether a case of an evaluation was counted in quotas: it is not counted again when its process was killed. */
export const casesCountedOnce: OnlineMigration = {
  worksWith: '0217-evaluation',
  async up(db) {
    await db.schema
      .alterTable('evaluation_result')
      .addColumn('is_in_quota', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
