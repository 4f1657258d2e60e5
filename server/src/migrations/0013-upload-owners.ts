import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the owner of an upload. Of waiting ones, only those of an organization with a single workspace are known to be
 * its.
 */
export const uploadOwners: Migration = {
  async up(db) {
    for (const column of ['workspace_id', 'key_id', 'session_id', 'visitor_id'])
      await db.schema.alterTable('upload').addColumn(column, 'text').execute()
    await sql`
      update upload set workspace_id = (select min(workspace.id) from workspace
        where workspace.organization_id = upload.organization_id
        having count(*) = 1)
    `.execute(db)
  },
}
