import { type Kysely, sql } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Lists of who may read a file. Processes that do not know them would not obey them, so they refuse to start beside this schema. */
export const readerLists: OnlineMigration = {
  async up(db) {
    await db.schema
      .createTable('reader_list')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('readers', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('reader_list_key', ['organization_id', 'id'])
      .execute()
    await db.schema
      .createTable('reader_list_subject')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('list_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('reader_list_subject_key', ['organization_id', 'subject', 'list_id'])
      .execute()
    await db.schema
      .createTable('reader_narrowing')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('reader_narrowing_key', ['organization_id', 'subject'])
      .execute()
    await db.schema.alterTable('data_source').addColumn('reader_list_id', 'text').execute()
    await db.schema
      .createIndex('data_source_by_reader_list')
      .on('data_source')
      .columns(['organization_id', 'reader_list_id', 'folder_id'])
      .where('reader_list_id', 'is not', null)
      .execute()
    await db.schema
      .alterTable('folder_rights_version')
      .addColumn('has_reader_lists', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('member')
      .addColumn('is_email_confirmed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    for (const { id } of await db.selectFrom('organization').select('id').execute()) await confirmEmails(db, id)
  },
}

/** Members of an organization whose provider or directory said whose address it is. */
const confirmEmails = (db: Kysely<unknown>, organizationId: string) =>
  sql`update member set is_email_confirmed = 1 where organization_id = ${organizationId} and (exists
      (select 1 from account_identity where account_identity.account_id = member.account_id and linked_by = 'email'
        and not exists (select 1 from sign_in_provider where sign_in_provider.id = account_identity.provider_id
          and sign_in_provider.workspace_id <> member.workspace_id))
      or exists (select 1 from scim_user join account on account.email = scim_user.email
        where account.id = member.account_id and scim_user.workspace_id = member.workspace_id))`.execute(db)
