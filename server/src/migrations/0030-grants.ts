import type { Kysely } from 'kysely'
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
    await giveChatsToMembers(db as Kysely<Before>)
  },
}

interface Before {
  api_key: { id: string; member_id: string | null }
  message: { chat_id: string; api_key_id: string | null }
  chat: { id: string; member_id: string | null }
}

/** A chat in which a member asked is that member's. */
async function giveChatsToMembers(db: Kysely<Before>) {
  const keys = await db.selectFrom('api_key').select(['id', 'member_id']).where('member_id', 'is not', null).execute()
  for (const { id, member_id } of keys)
    await db
      .updateTable('chat')
      .set({ member_id })
      .where('member_id', 'is', null)
      .where('id', 'in', (select) => select.selectFrom('message').select('chat_id').where('api_key_id', '=', id))
      .execute()
}
