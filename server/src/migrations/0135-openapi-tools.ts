import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Tools of agents that OpenAPI documents describe. Older processes let agents answer without them. */
export const openApiTools: OnlineMigration = {
  worksWith: '0120-projects',
  async up(db) {
    await db.schema
      .alterTable('agent')
      .addColumn('openapi_tools', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    await db.schema
      .createTable('openapi_document')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('agent_id', 'text', (column) => column.notNull().references('agent.id'))
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('openapi_document_of_agent')
      .on('openapi_document')
      .columns(['organization_id', 'agent_id'])
      .execute()
  },
}
