import { type Kysely, sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Chats and agents know the member who made them, and one table says what others are let do with a resource. Chats of
 * processes that do not know members count as chats of keys.
 */
export const grants: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema
      .createTable('access_grant')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('resource_kind', 'text', (column) => column.notNull())
      .addColumn('resource_id', 'text', (column) => column.notNull())
      .addColumn('subject_kind', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('access_grant_pk', [
        'organization_id',
        'resource_kind',
        'resource_id',
        'subject_kind',
        'subject_id',
      ])
      .execute()
    await db.schema
      .createIndex('access_grant_of_subject')
      .on('access_grant')
      .columns(['organization_id', 'subject_id', 'resource_kind'])
      .execute()
    for (const table of ['chat', 'agent']) await db.schema.alterTable(table).addColumn('member_id', 'text').execute()
    await db.schema
      .createIndex('chat_of_member')
      .on('chat')
      .columns(['organization_id', 'member_id', 'agent_id'])
      .where('member_id', 'is not', null)
      .execute()
    await giveChatsToMembers(db)
  },
}

/** Gives each chat to the member who asked in it first. */
async function giveChatsToMembers(db: Kysely<unknown>): Promise<void> {
  await sql`
    update chat set member_id = (
      select api_key.member_id from message join api_key on api_key.id = message.api_key_id
      where message.organization_id = chat.organization_id and message.chat_id = chat.id and api_key.member_id is not null
      order by message.created_at, message.id limit 1)
    where id in (
      select chat_id from message where api_key_id in (select id from api_key where member_id is not null))
  `.execute(db)
}
