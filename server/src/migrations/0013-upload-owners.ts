import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whose an upload is. Of those that wait, only what an organization with a single workspace has is known to be its. */
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
