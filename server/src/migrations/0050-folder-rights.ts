import type { OnlineMigration } from '../platform/database/migrate.ts'

/**
 * Rights to folders are grants, and each organization that has some has a version of them. Processes that do not know
 * rights would not obey them, so they refuse to start beside this schema.
 */
export const folderRights: OnlineMigration = {
  async up(db) {
    await db.schema
      .createTable('folder_rights_version')
      .addColumn('organization_id', 'text', (column) => column.primaryKey().references('organization.id'))
      .addColumn('version', 'text', (column) => column.notNull())
      .execute()
  },
}
