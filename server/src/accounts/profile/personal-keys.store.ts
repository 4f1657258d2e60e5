import type { ApiKeyRow } from '../../access/access.ts'
import type { Db } from '../../db.ts'

/** Keys that the member made and that were not revoked, newest first. */
export const listPersonalKeys = (
  db: Db,
  organizationId: string,
  workspaceId: string,
  memberId: string,
): Promise<ApiKeyRow[]> =>
  db
    .selectFrom('api_key')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('kind', '=', 'personal')
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
