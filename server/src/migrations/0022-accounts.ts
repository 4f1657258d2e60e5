import type { Kysely } from 'kysely'
import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Accounts of people. Each membership has a key of its own, without a secret, so that sessions, limits, usage and the
 * audit log know a member as they know a key. Processes that do not know accounts let members in by that key, too.
 */
export const accounts: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await createAccounts(db)
    await createMembers(db)
    await createGroups(db)
    await createLinks(db)
    await extendKeys(db)
  },
}

type Schema = Kysely<unknown>

/** Accounts belong to no organization: one person may be a member of several. */
async function createAccounts(db: Schema) {
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('signed_in_at', 'text')
    .execute()
}

async function createMembers(db: Schema) {
  await db.schema
    .createTable('member')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('chosen_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('member_once', ['workspace_id', 'account_id'])
    .execute()
  await db.schema.createIndex('member_of_account').on('member').column('account_id').execute()
}

async function createGroups(db: Schema) {
  await db.schema
    .createTable('member_group')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('member_group_name', ['workspace_id', 'name_key'])
    .execute()
  await db.schema
    .createTable('group_member')
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('group_id', 'text', (column) => column.notNull().references('member_group.id'))
    .addColumn('member_id', 'text', (column) => column.notNull().references('member.id'))
    .addPrimaryKeyConstraint('group_member_pk', ['group_id', 'member_id'])
    .execute()
  await db.schema.createIndex('group_member_of_member').on('group_member').column('member_id').execute()
}

/** Links that work once; only the SHA-256 of their tokens is stored. */
async function createLinks(db: Schema) {
  await db.schema
    .createTable('invitation')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
    .addColumn('email', 'text')
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('group_ids', 'text', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('invited_by', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('invitation_of_workspace').on('invitation').columns(['workspace_id', 'id']).execute()
  await db.schema
    .createTable('password_link')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('password_link_of_account').on('password_link').column('account_id').execute()
}

async function extendKeys(db: Schema) {
  await db.schema
    .alterTable('api_key')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('machine'))
    .execute()
  await db.schema.alterTable('api_key').addColumn('member_id', 'text').execute()
  await db.schema.createIndex('api_key_of_member').on('api_key').columns(['organization_id', 'member_id']).execute()
  for (const column of ['account_id', 'address', 'user_agent'])
    await db.schema.alterTable('web_session').addColumn(column, 'text').execute()
  await db.schema.createIndex('web_session_of_account').on('web_session').column('account_id').execute()
}
