import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { ApiKeyTable } from '../access.tables.ts'

export type ApiKeyRow = Selectable<ApiKeyTable>

/** Keys that were not revoked, expired ones included; without those that stand for members. */
const liveKeys = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('api_key')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .where('kind', '!=', 'member')

export async function listKeys(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ keys: ApiKeyRow[]; total: number }> {
  const { total } = await liveKeys(db, organizationId, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const keys = await liveKeys(db, organizationId, workspaceId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { keys, total: Number(total) }
}

export const findKey = (db: Db, organizationId: string, workspaceId: string, keyId: string) =>
  liveKeys(db, organizationId, workspaceId).selectAll().where('id', '=', keyId).executeTakeFirst()

export async function keyNames(db: Db, organizationId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('api_key')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Changes a key that is live. Fields that are left out stay. */
export async function updateKey(
  tx: Tx,
  organizationId: string,
  keyId: string,
  fields:
    | Pick<Updateable<ApiKeyTable>, 'name' | 'expires_at' | 'rate_per_second' | 'rate_burst' | 'scopes'>
    | RotatedKey,
): Promise<void> {
  await tx
    .updateTable('api_key')
    .set(fields)
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .execute()
}

export type RotatedKey = Pick<ApiKeyRow, 'prefix' | 'hash' | 'earlier_hash' | 'earlier_until'>

/** Owner keys of the organization that still work. */
export async function countOwnerKeys(db: Db, organizationId: string, now: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('kind', '=', 'machine')
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function markKeyRevoked(tx: Tx, organizationId: string, keyId: string, at: string): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .execute()
}
