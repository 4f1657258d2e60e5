import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The line of messages in each chat, so that one after the other is answered whichever process has it. */
export const places: Migration = {
  async up(db) {
    await db.schema
      .alterTable('chat')
      .addColumn('last_place', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('message')
      .addColumn('place', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    // Only what is not at its end is in a line. Ids sort by time.
    await sql`
      update message set place = (select count(*) from message as earlier
        where earlier.organization_id = message.organization_id and earlier.chat_id = message.chat_id
          and earlier.status = 'in_progress' and earlier.id <= message.id)
      where status = 'in_progress'
    `.execute(db)
    await sql`
      update chat set last_place = (select count(*) from message
        where message.organization_id = chat.organization_id and message.chat_id = chat.id
          and message.status = 'in_progress')
    `.execute(db)
  },
}
