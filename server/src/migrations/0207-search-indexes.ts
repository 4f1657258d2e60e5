import { sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Choices of embedding models by workspaces, and the indexes that are built for them. Without a row, the environment's. */
export const searchIndexes: OnlineMigration = {
  worksWith: '0202-chat-shares',
  async up(db) {
    const none = sql`0`
    await db.schema
      .createTable('search_index')
      .addColumn('organization_id', 'text', (column) => column.primaryKey().references('organization.id'))
      .addColumn('space', 'text')
      .addColumn('workspace_id', 'text')
      .addColumn('model', 'text')
      .addColumn('build_id', 'text')
      .addColumn('build_source', 'text')
      .addColumn('build_space', 'text')
      .addColumn('build_workspace_id', 'text')
      .addColumn('build_model', 'text')
      .addColumn('build_state', 'text')
      .addColumn('build_phase', 'text')
      .addColumn('build_step', 'integer', (column) => column.notNull().defaultTo(none))
      .addColumn('build_cursor', 'text')
      .addColumn('build_files_total', 'integer')
      .addColumn('build_files_done', 'integer', (column) => column.notNull().defaultTo(none))
      .addColumn('build_passages_done', 'integer', (column) => column.notNull().defaultTo(none))
      .addColumn('build_files_skipped', 'integer', (column) => column.notNull().defaultTo(none))
      .addColumn('build_error', 'text')
      .addColumn('build_started_at', 'text')
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('search_index_change')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('data_source_id', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_index_change_key', ['organization_id', 'data_source_id'])
      .execute()
  },
}
