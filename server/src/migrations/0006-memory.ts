import type { Migration } from 'kysely/migration'

/** Summaries of what was said earlier in a chat, and what agents remember of people. */
export const memory: Migration = {
  async up(db) {
    await db.schema
      .createTable('chat_memory')
      .addColumn('chat_id', 'text', (column) => column.primaryKey().references('chat.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('summary', 'text')
      .addColumn('covers_created_at', 'text')
      .addColumn('covers_id', 'text')
      .addColumn('turns', 'integer', (column) => column.notNull())
      .addColumn('budget_tokens', 'integer')
      .addColumn('model', 'text')
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('person_memory')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('agent_id', 'text', (column) => column.notNull().references('agent.id'))
      .addColumn('virtual_user_id', 'text', (column) =>
        column.notNull().references('virtual_user.id').onDelete('cascade'),
      )
      .addColumn('topic', 'text')
      .addColumn('topic_key', 'text')
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('person_memory_newest')
      .on('person_memory')
      .columns(['virtual_user_id', 'organization_id', 'agent_id', 'updated_at', 'id'])
      .execute()
    await db.schema
      .createIndex('person_memory_topic')
      .unique()
      .on('person_memory')
      .columns(['virtual_user_id', 'organization_id', 'agent_id', 'topic_key'])
      .execute()
  },
}
