import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Question sets that run every night. */
export const nightlyEvaluation: OnlineMigration = {
  worksWith: '0227-archives-unpacked',
  async up(db) {
    for (const column of ['schedule', 'next_run_at', 'schedule_key_id', 'schedule_problem'])
      await db.schema.alterTable('evaluation_set').addColumn(column, 'text').execute()
    await db.schema
      .alterTable('evaluation_run')
      .addColumn('is_scheduled', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('evaluation_set_due')
      .on('evaluation_set')
      .column('next_run_at')
      .where('next_run_at', 'is not', null)
      .execute()
  },
}
