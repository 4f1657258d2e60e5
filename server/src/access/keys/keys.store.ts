import type { Db, Tx } from '../../db.ts'
import { type ApiKeyRecord, toApiKeyRecord } from '../access.store.ts'

/** Keys that were not revoked, expired ones included; without those that stand for members or a directory. */
const liveKeys = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('api_key')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .where('kind', 'in', ['machine', 'personal'])

export async function listKeys(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ keys: ApiKeyRecord[]; total: number }> {
  const { total } = await liveKeys(db, organizationId, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await liveKeys(db, organizationId, workspaceId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { keys: rows.map(toApiKeyRecord), total: Number(total) }
}

export async function findKey(
  db: Db,
  organizationId: string,
  workspaceId: string,
  keyId: string,
): Promise<ApiKeyRecord | undefined> {
  const row = await liveKeys(db, organizationId, workspaceId).selectAll().where('id', '=', keyId).executeTakeFirst()
  return row && toApiKeyRecord(row)
}

/** Keys that the member made for their programs, newest first. */
export async function listPersonalKeys(
  db: Db,
  organizationId: string,
  workspaceId: string,
  memberId: string,
): Promise<ApiKeyRecord[]> {
  const rows = await liveKeys(db, organizationId, workspaceId)
    .selectAll()
    .where('member_id', '=', memberId)
    .where('kind', '=', 'personal')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toApiKeyRecord)
}

export async function findKeyNames(db: Db, organizationId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('api_key')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Workspace of a key, whether it is live or not. */
export async function findKeyWorkspace(db: Db, organizationId: string, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_key')
    .select('workspace_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}

export type KeyChanges = Partial<
  Pick<ApiKeyRecord, 'name' | 'prefix' | 'hash' | 'scopes' | 'expiresAt' | 'earlierHash' | 'earlierUntil' | 'rateLimit'>
>

/** Changes a key that is live. Fields that are left out stay. */
export async function updateKey(
  tx: Tx,
  organizationId: string,
  keyId: string,
  { name, prefix, hash, scopes, expiresAt, earlierHash, earlierUntil, rateLimit }: KeyChanges,
): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({
      name,
      prefix,
      hash,
      scopes: scopes && JSON.stringify(scopes),
      expires_at: expiresAt,
      earlier_hash: earlierHash,
      earlier_until: earlierUntil,
      ...(rateLimit !== undefined && {
        rate_per_second: rateLimit?.perSecond ?? null,
        rate_burst: rateLimit?.burst ?? null,
      }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .execute()
}

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
