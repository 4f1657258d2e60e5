import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Seconds of sound that models wrote down, in the sums. Rows of processes that do not know them have none. */
export const speechUsage: OnlineMigration = {
  worksWith: '0228-nightly-evaluation',
  async up(db) {
    for (const name of ['audio_seconds', 'unpriced_audio_seconds'])
      await db.schema
        .alterTable('usage_sum')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
  },
}
