import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the columns that the threads table shows, sorts and filters by, without reading messages. */
export const threads: Migration = {
  async up(db) {
    await addCounts(db)
    await addIndexes(db)
  },
}

/** Columns of a chat that follow its messages. */
async function addCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('chat').addColumn('last_message_at', 'text').execute()
  for (const column of ['message_count', 'total_tokens'])
    await db.schema
      .alterTable('chat')
      .addColumn(column, 'integer', (type) => type.notNull().defaultTo(0))
      .execute()
  await sql`
    update chat set
      last_message_at = (select max(created_at) from message
        where message.organization_id = chat.organization_id and message.chat_id = chat.id),
      message_count = (select count(*) from message
        where message.organization_id = chat.organization_id and message.chat_id = chat.id),
      total_tokens = (select coalesce(sum(input_tokens + output_tokens), 0) from message
        where message.organization_id = chat.organization_id and message.chat_id = chat.id)
  `.execute(db)
}

async function addIndexes(db: Kysely<unknown>): Promise<void> {
  for (const column of ['created_at', 'last_message_at', 'total_tokens', 'title_key'])
    await db.schema
      .createIndex(`chat_by_${column}`)
      .on('chat')
      .columns(['agent_id', 'workspace_id', 'organization_id', column, 'id'])
      .execute()
  // All that their statements ask for, so that no message is read: messages are large.
  await db.schema
    .createIndex('message_with_feedback')
    .on('message')
    .columns(['agent_id', 'feedback_rating', 'chat_id', 'organization_id'])
    .where(sql.ref('feedback_rating'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('message_not_completed')
    .on('message')
    .columns(['agent_id', 'status', 'chat_id', 'organization_id'])
    .where(sql.ref('status'), '!=', sql.lit('completed'))
    .execute()
  await db.schema
    .createIndex('message_that_failed')
    .on('message')
    .columns(['agent_id', 'chat_id', 'organization_id'])
    .where(sql.ref('error_message'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('message_people_of_chat')
    .on('message')
    .columns(['chat_id', 'organization_id', 'virtual_user_id'])
    .where(sql.ref('virtual_user_id'), 'is not', null)
    .execute()
}
