import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the counters that processes on PostgreSQL share; a single process counts in memory. What a crash takes of them
 * is no loss.
 */
export const sharedLimits: Migration = {
  async up(db) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
    await db.schema
      .createTable('rate_bucket')
      .modifyFront(sql`unlogged`)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('per_second', 'real', (column) => column.notNull())
      .addColumn('burst', 'real', (column) => column.notNull())
      .addColumn('need', 'real', (column) => column.notNull())
      .addColumn('spare', 'real', (column) => column.notNull())
      .addColumn('tokens', 'real', (column) => column.notNull())
      .addColumn('filled_at', 'real', (column) => column.notNull())
      .addColumn('slot', 'integer', (column) => column.notNull())
      .addColumn('held', 'real', (column) => column.notNull())
      .addColumn('held_before', 'real', (column) => column.notNull())
      .addColumn('granted', 'real', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('stream_place')
      .modifyFront(sql`unlogged`)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('places', 'jsonb', (column) => column.notNull())
      .execute()
  },
}
