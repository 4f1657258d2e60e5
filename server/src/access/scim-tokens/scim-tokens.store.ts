import type { Db } from '../../db.ts'
import { type ApiKeyRecord, toApiKeyRecord } from '../access.store.ts'

/** Tokens of directories that were not revoked, expired ones included, newest first. */
export async function listScimTokens(db: Db, organizationId: string, workspaceId: string): Promise<ApiKeyRecord[]> {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'scim')
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toApiKeyRecord)
}
