import type { Tx } from '../../db.ts'
import { slicesOf } from '../../platform/database/in-slices.ts'
import { EVERY_FOLDER } from './virtual-user-folder-rights.ts'

/** Notes that virtual users with grants may read less from now on. */
export async function noteGrantsNarrowed(
  tx: Tx,
  organizationId: string,
  virtualUserIds: readonly string[],
  at: string,
): Promise<void> {
  for (const ids of slicesOf([...virtualUserIds]))
    await tx
      .updateTable('access_grant')
      .set({ created_at: at })
      .where('organization_id', '=', organizationId)
      .where('resource_kind', '=', 'folder')
      .where('resource_id', '=', EVERY_FOLDER)
      .where('subject_id', 'in', ids)
      .execute()
}
