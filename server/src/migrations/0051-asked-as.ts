import { sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Messages, memories and links know the member whose rights count. What members asked before counts as asked by them;
 * links of before, whose makers nobody noted, answer as they did.
 */
export const askedAs: OnlineMigration = {
  async up(db) {
    for (const table of ['message', 'person_memory', 'agent_link'])
      await db.schema.alterTable(table).addColumn('member_id', 'text').execute()
    await sql`
      update message set member_id = (
        select api_key.member_id from api_key
        where api_key.organization_id = message.organization_id and api_key.id = message.api_key_id)
      where api_key_id in (select id from api_key where member_id is not null)
    `.execute(db)
  },
}
