import type { Migration } from 'kysely/migration'

/** Links through which people chat with an agent without a key, and whose chats those are. */
export const links: Migration = {
  async up(db) {
    await db.schema
      .createTable('agent_link')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('agent_id', 'text', (column) => column.notNull().references('agent.id'))
      .addColumn('token', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('audience', 'text', (column) => column.notNull())
      .addColumn('allowed_origins', 'text', (column) => column.notNull())
      .addColumn('greeting', 'text', (column) => column.notNull())
      .addColumn('queries_per_minute', 'integer', (column) => column.notNull())
      .addColumn('queries_per_visitor', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('agent_link_of_agent')
      .on('agent_link')
      .columns(['organization_id', 'agent_id', 'id'])
      .execute()
    await db.schema.alterTable('chat').addColumn('visitor_id', 'text').execute()
  },
}
