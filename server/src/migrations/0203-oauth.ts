import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Apps that people connect by OAuth. Older processes refuse their tokens. */
export const oauth: OnlineMigration = {
  worksWith: '0202-chat-shares',
  async up(db) {
    await db.schema
      .createTable('oauth_client')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('redirect_uris', 'text', (column) => column.notNull())
      .addColumn('uri', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('used_at', 'text')
      .execute()
    await db.schema
      .createTable('oauth_code')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('member_id', 'text', (column) => column.notNull())
      .addColumn('approved_by', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('redirect_uri', 'text')
      .addColumn('code_challenge', 'text')
      .addColumn('audience', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('key_scopes', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text')
      .execute()
    await db.schema
      .createTable('oauth_grant')
      .addColumn('key_id', 'text', (column) => column.primaryKey().references('api_key.id'))
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id'))
      .addColumn('member_id', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('audience', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('oauth_grant_member').on('oauth_grant').columns(['member_id']).execute()
    await db.schema
      .createTable('oauth_token')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('key_id', 'text', (column) => column.notNull().references('api_key.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('audience', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('used_at', 'text')
      .execute()
    await db.schema.createIndex('oauth_token_key').on('oauth_token').columns(['key_id']).execute()
    for (const table of ['oauth_code', 'oauth_grant', 'oauth_token'])
      await db.schema.createIndex(`${table}_expires`).on(table).columns(['expires_at']).execute()
  },
}
