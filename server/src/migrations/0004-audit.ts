import type { Migration } from 'kysely/migration'

/** The audit log, what finds webhook deliveries that are old, and the chats of a workspace with an agent. */
export const audit: Migration = {
  async up(db) {
    await db.schema
      .createTable('audit_entry')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text')
      .addColumn('key_id', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target_type', 'text', (column) => column.notNull())
      .addColumn('target_id', 'text', (column) => column.notNull())
      .addColumn('target_name', 'text')
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text')
      .addColumn('ip', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('audit_entry_listed')
      .on('audit_entry')
      // All that a listing filters and sorts by, so that it reads no rows but those of its page.
      .columns(['organization_id', 'created_at', 'id', 'workspace_id', 'action', 'key_id', 'target_type'])
      .execute()
    await db.schema
      .createIndex('audit_entry_of_target')
      .on('audit_entry')
      .columns(['organization_id', 'target_id', 'created_at', 'id', 'workspace_id'])
      .execute()
    await db.schema.createIndex('audit_entry_created_at').on('audit_entry').columns(['created_at']).execute()
    await db.schema
      .createIndex('webhook_delivery_finished')
      .on('webhook_delivery')
      .columns(['status', 'updated_at'])
      .execute()
    await db.schema
      .createIndex('chat_of_workspace')
      .on('chat')
      .columns(['agent_id', 'workspace_id', 'organization_id', 'id'])
      .execute()
    await db.schema.dropIndex('chat_agent_id_organization_id_id').execute()
  },
}
