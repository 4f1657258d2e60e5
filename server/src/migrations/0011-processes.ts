import type { Migration } from 'kysely/migration'

/** The processes that share a database. On the embedded one, which has one process, it stays empty. */
export const processes: Migration = {
  async up(db) {
    await db.schema
      .createTable('server_process')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('pid', 'integer', (column) => column.notNull())
      .addColumn('beat', 'integer', (column) => column.notNull())
      .addColumn('beat_at', 'text', (column) => column.notNull())
      .addColumn('started_at', 'text', (column) => column.notNull())
      .addColumn('ended_by', 'text')
      .execute()
  },
}
