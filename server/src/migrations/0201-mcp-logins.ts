import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Logins of agents at MCP servers. Older processes ask those servers without a token, and are refused. */
export const mcpLogins: OnlineMigration = {
  worksWith: '0200-web-search',
  async up(db) {
    await db.schema
      .createTable('mcp_connection')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('agent_id', 'text', (column) => column.notNull().references('agent.id'))
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('grant_data', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addColumn('connected_by', 'text', (column) => column.notNull())
      .addColumn('connected_at', 'text', (column) => column.notNull())
      .addColumn('lost_at', 'text')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('renewing_until', 'text')
      .addPrimaryKeyConstraint('mcp_connection_key', ['agent_id', 'url'])
      .execute()
    await db.schema
      .createTable('mcp_login')
      .addColumn('state_hash', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('agent_id', 'text', (column) => column.notNull().references('agent.id'))
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('holder_id', 'text', (column) => column.notNull())
      .addColumn('login', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
  },
}
