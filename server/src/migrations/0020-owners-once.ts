import { PostgresAdapter, sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Tables written with each query, file and delivery. Each row belongs to another one that must be there, of an
 * organization.
 */
const OWNED = 'chat chat_memory message review usage_sum data_source webhook_delivery webhook_attempt'.split(' ')

/**
 * Rows that belong to a workspace, a chat, a message, a folder or a delivery do not refer to the organization beside it:
 * on PostgreSQL each insert locks every row that it refers to, and there is one organization for all.
 */
export const ownersOnce: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
    for (const table of OWNED)
      await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.ref(`${table}_organization_id_fkey`)}`.execute(
        db,
      )
  },
}
