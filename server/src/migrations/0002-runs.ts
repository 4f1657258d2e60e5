import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Runs that survive their process, that wait for a person, and that call other agents. */
export const runs: Migration = {
  async up(db) {
    for (const [column, empty] of [
      ['sub_agent_ids', '[]'],
      ['mcp_servers', '[]'],
      ['tools_needing_approval', '[]'],
      ['limits', '{}'],
    ] as const) {
      await db.schema
        .alterTable('agent')
        .addColumn(column, 'text', (type) => type.notNull().defaultTo(empty))
        .execute()
    }
    await db.schema
      .alterTable('message')
      .addColumn('attempt', 'integer', (type) => type.notNull().defaultTo(1))
      .execute()
    await db.schema
      .createTable('run_state')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('run_state_pk', ['organization_id', 'message_id'])
      .addForeignKeyConstraint(
        'run_state_message',
        ['organization_id', 'message_id'],
        'message',
        ['organization_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createTable('review')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('chat_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('asked_by', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('tool_name', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('arguments', 'text')
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('note', 'text')
      .addColumn('decided_at', 'text')
      .addColumn('decided_by', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addForeignKeyConstraint(
        'review_message',
        ['organization_id', 'message_id'],
        'message',
        ['organization_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createIndex('review_inbox')
      .on('review')
      .columns(['organization_id', 'workspace_id', 'status', 'id'])
      .execute()
    await db.schema
      .createIndex('review_of_message')
      .on('review')
      .columns(['organization_id', 'message_id', 'id'])
      .execute()
    // A message waits for one person at a time.
    await db.schema
      .createIndex('review_open')
      .unique()
      .on('review')
      .columns(['organization_id', 'message_id'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute()
  },
}
