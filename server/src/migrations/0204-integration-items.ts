import type { OnlineMigration } from '../platform/database/migrate.ts'

/** State that a linked folder's source keeps of its items from one sync to the next, such as ETags of pages. */
export const integrationItems: OnlineMigration = {
  worksWith: '0103-account-language',
  async up(db) {
    await db.schema
      .createTable('integration_item')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organization.id'))
      .addColumn('integration_id', 'text', (column) =>
        column.notNull().references('integration.id').onDelete('cascade'),
      )
      .addColumn('item_key', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('integration_item_pk', ['integration_id', 'item_key'])
      .execute()
  },
}
