import type { OnlineMigration } from '../platform/database/migrate.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'

/**
 * Grants to everyone in a workspace speak to its keys of the role member, too: the workspace knows when they were last
 * narrowed. Processes that do not know the column would not note it, so they refuse to start beside this schema.
 */
export const grantsOfWorkspaces: OnlineMigration = {
  async up(db) {
    await db.schema.alterTable('workspace').addColumn('keys_narrowed_at', 'text').execute()
    await acrossOrganizations(db)
      .updateTable('access_grant')
      .set({ subject_kind: 'workspace' })
      .where('subject_kind', '=', 'everyone')
      .execute()
  },
}
