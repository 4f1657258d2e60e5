import type { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Migrations, OnlineMigration } from '../../../src/platform/database/migrate.ts'
import { openPostgres } from '../../../src/platform/database/postgres/postgres.ts'

export interface NoteTables {
  note: { id: number; text: string | null }
  remark: { id: number; note_id: number }
}

/** Notes, and remarks that refer to them: tables for tests of the database alone. */
export const createNotes: OnlineMigration = {
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('note')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('text', 'text')
      .execute()
    await db.schema
      .createTable('remark')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('note_id', 'integer', (column) => column.notNull().references('note.id'))
      .execute()
  },
}

/** Opens a PostgreSQL database, with notes in it if not told otherwise, that is closed when the test ends. */
export async function openNotes(url: string, migrations: Migrations = { '1': createNotes }, connections = 4) {
  const idleErrors: Error[] = []
  const database = await openPostgres<NoteTables>(
    { url, connections, onIdleError: (error) => idleErrors.push(error) },
    migrations,
  )
  let closing: Promise<void> | undefined
  const close = () => (closing ??= database.close())
  onTestFinished(close)
  return { ...database, close, idleErrors, url }
}
