import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Lets a virtual user be merged into another: its e-mail then stands for that one. Processes that do not know the column
 * restore the merged profile when its e-mail comes.
 */
export const mergedUsers: OnlineMigration = {
  worksWith: '0018-task-troubles',
  async up(db) {
    await db.schema
      .alterTable('virtual_user')
      .addColumn('merged_into', 'text', (column) => column.references('virtual_user.id').onDelete('cascade'))
      .execute()
    await db.schema.createIndex('virtual_user_merged').on('virtual_user').column('merged_into').execute()
  },
}
