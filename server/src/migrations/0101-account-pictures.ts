import type { OnlineMigration } from '../platform/database/migrate.ts'

/** Pictures of people, small enough to be kept beside their accounts. */
export const accountPictures: OnlineMigration = {
  worksWith: '0100-grants-of-workspaces',
  async up(db) {
    await db.schema
      .createTable('account_picture')
      .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
      .addColumn('media_type', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
  },
}
