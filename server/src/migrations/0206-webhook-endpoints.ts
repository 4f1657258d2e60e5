import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Endpoints to which a workspace has its events sent; deliveries to them carry their body, and no message. An older
 * process gives up those that it takes, until the rollout has ended.
 */
export const webhookEndpoints: OnlineMigration = {
  worksWith: '0103-account-language',
  async up(db) {
    await db.schema
      .createTable('webhook_endpoint')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('event_types', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('old_secret', 'text')
      .addColumn('old_secret_until', 'text')
      .addColumn('disabled_at', 'text')
      .addColumn('disabled_reason', 'text')
      .addColumn('failing_since', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('webhook_endpoint_of_workspace')
      .on('webhook_endpoint')
      .columns(['organization_id', 'workspace_id', 'id'])
      .execute()
    for (const column of ['endpoint_id', 'event_type', 'body'])
      await db.schema.alterTable('webhook_delivery').addColumn(column, 'text').execute()
    await db.schema
      .createIndex('webhook_delivery_of_endpoint')
      .on('webhook_delivery')
      .columns(['organization_id', 'endpoint_id', 'status', 'id'])
      .execute()
  },
}
