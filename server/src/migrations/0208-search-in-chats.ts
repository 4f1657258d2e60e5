import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * An index of what messages say. `message_unindexed` has the messages that wait to come into it: triggers add each that
 * ends, by whichever version it is ended, and all that are there now are added at once. A sweep takes them from there.
 */
export const searchInChats: OnlineMigration = {
  worksWith: '0103-account-language',
  afterwards: 'indexes what messages say for the search in chats, in the background; until then it reads them all',
  async up(db) {
    await db.schema
      .createTable('message_unindexed')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('message_unindexed_pk', ['organization_id', 'message_id'])
      .addForeignKeyConstraint(
        'message_unindexed_message',
        ['organization_id', 'message_id'],
        'message',
        ['organization_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await db.schema
      .createTable('message_search')
      .addColumn('number', isPostgres ? 'bigint' : 'integer', (column) =>
        isPostgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement(),
      )
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('chat_id', 'text', (column) => column.notNull())
      .addUniqueConstraint('message_search_once', ['organization_id', 'message_id'])
      .addForeignKeyConstraint(
        'message_search_message',
        ['organization_id', 'message_id'],
        'message',
        ['organization_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await (isPostgres ? addToPostgres(db) : addToSqlite(db))
    await sql`insert into message_unindexed (organization_id, message_id)
      select organization_id, id from message`.execute(db)
  },
}

// biome-ignore lint/suspicious/noExplicitAny: migrations work on any schema
type AnySchema = Kysely<any>

async function addToSqlite(db: AnySchema): Promise<void> {
  await sql`create virtual table message_search_grams using
    fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram')`.execute(db)
  await sql`create trigger message_search_gone after delete on message_search begin
    delete from message_search_grams where rowid = old.number; end`.execute(db)
  const note = sql`begin insert or ignore into message_unindexed (organization_id, message_id)
    values (new.organization_id, new.id); end`
  await sql`create trigger message_ended after update of status on message
    when new.status = 'completed' and old.status <> 'completed' ${note}`.execute(db)
  await sql`create trigger message_came_ended after insert on message
    when new.status = 'completed' ${note}`.execute(db)
}

async function addToPostgres(db: AnySchema): Promise<void> {
  await sql`alter table message_search add column grams integer[] not null default '{}'`.execute(db)
  await sql`create index message_search_grams on message_search using gin (grams)`.execute(db)
  await sql`create function note_unindexed_message() returns trigger language plpgsql as $$ begin
    insert into message_unindexed (organization_id, message_id) values (new.organization_id, new.id)
      on conflict do nothing;
    return null;
  end $$`.execute(db)
  await sql`create trigger message_ended after update of status on message for each row
    when (new.status = 'completed' and old.status <> 'completed') execute function note_unindexed_message()`.execute(db)
  await sql`create trigger message_came_ended after insert on message for each row
    when (new.status = 'completed') execute function note_unindexed_message()`.execute(db)
}
