import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { RateLimits } from '../platform/cluster/limits/rate-limit.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import type { ApiKeyKind, ApiKeyTable } from './access.tables.ts'
import type { Permission, Role } from './caller.ts'
import type { KeyScopes } from './keys/key-scopes.ts'
import { lacksDemanded } from './second-factor/second-factor.store.ts'

export interface ApiKeyRecord {
  id: string
  organizationId: string
  workspaceId: string
  name: string
  /** First characters of the key, to recognise it by. */
  prefix: string
  /** SHA-256 of the secret, hex. */
  hash: string
  role: Role
  permissions: Permission[]
  /** Null for a key that is not narrowed. */
  scopes: KeyScopes | null
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  createdAt: string
  kind: ApiKeyKind
  /** Member that a key of the kinds `member`, `personal` and `oauth` ends with. */
  memberId: string | null
  /** SHA-256 of the secret before the last rotation, hex, and when it stops working. */
  earlierHash: string | null
  earlierUntil: string | null
  /** Rate limit of its own; null: that of all keys. */
  rateLimit: RateLimits | null
}

/** A key as its use is checked. */
export interface UsedKey extends ApiKeyRecord {
  /** Whether it is of a member who has to set up a second factor first. */
  needsSecondFactor: boolean
}

export const toApiKeyRecord = (row: Selectable<ApiKeyTable>): ApiKeyRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  name: row.name,
  prefix: row.prefix,
  hash: row.hash,
  role: row.role,
  permissions: JSON.parse(row.permissions),
  scopes: row.scopes ? JSON.parse(row.scopes) : null,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  kind: row.kind,
  memberId: row.member_id,
  earlierHash: row.earlier_hash,
  earlierUntil: row.earlier_until,
  rateLimit: row.rate_per_second ? { perSecond: row.rate_per_second, burst: row.rate_burst! } : null,
})

/** Finds the key with this secret, now or before its last rotation. The organization is known only from the row. */
export async function findKeyByHash(db: Db, hash: string): Promise<UsedKey | undefined> {
  const row = await acrossOrganizations(db)
    .selectFrom('api_key')
    .selectAll()
    .where((where) => where.or([where('hash', '=', hash), where('earlier_hash', '=', hash)]))
    .executeTakeFirst()
  return row && withDemands(db, row)
}

/** A key of the organization, revoked or not. */
export async function findKeyById(db: Db, organizationId: string, keyId: string): Promise<UsedKey | undefined> {
  const row = await db
    .selectFrom('api_key')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  return row && withDemands(db, row)
}

async function withDemands(db: Db, row: Selectable<ApiKeyTable>): Promise<UsedKey> {
  const isOfMember = row.member_id !== null
  return {
    ...toApiKeyRecord(row),
    needsSecondFactor: isOfMember && (await lacksDemanded(db, row.organization_id, row.member_id!)),
  }
}

/** Name of a key of the organization, revoked or not. */
export async function findKeyName(db: Db, organizationId: string, keyId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_key')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  return row?.name
}

/** Name of a key, and the member whose it is. */
export interface KeyName {
  id: string
  name: string
  memberId: string | null
}

/** Names of keys by their ids. */
export async function findKeyNames(db: Db, organizationId: string, keyIds: string[]): Promise<Map<string, KeyName>> {
  if (keyIds.length === 0) return new Map()
  const keys = await db
    .selectFrom('api_key')
    .select(['id', 'name', 'member_id as memberId'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', keyIds)
    .execute()
  return new Map(keys.map((key) => [key.id, key]))
}

export async function recordKeyUse(db: Db, organizationId: string, keyId: string, at: string): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ last_used_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .execute()
}

export async function findIdentity(db: Db, organizationId: string, workspaceId: string, keyId: string) {
  const row = await db
    .selectFrom('api_key')
    .innerJoin('workspace', 'workspace.id', 'api_key.workspace_id')
    .innerJoin('organization', 'organization.id', 'api_key.organization_id')
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'workspace.id as workspaceId',
      'workspace.name as workspaceName',
      'api_key.id as keyId',
      'api_key.name as keyName',
      'api_key.role',
      'api_key.permissions',
    ])
    .where('api_key.organization_id', '=', organizationId)
    .where('api_key.workspace_id', '=', workspaceId)
    .where('api_key.id', '=', keyId)
    .executeTakeFirst()
  return row && { ...row, permissions: JSON.parse(row.permissions) as Permission[] }
}

export interface NewKey {
  id: string
  workspaceId: string
  name: string
  prefix: string
  hash: string
  role: 'owner' | 'admin' | 'member'
  permissions: readonly string[]
  scopes?: KeyScopes | null
  expiresAt: string | null
  createdAt: string
  /** Rate limit of its own; default: that of all keys. */
  rateLimit?: RateLimits | null
  /** Default: a key of a program. */
  member?: { kind: 'member' | 'personal' | 'oauth'; id: string }
  /** Set for the token of a directory. */
  kind?: 'scim'
}

export async function insertKey(tx: Tx, organizationId: string, key: NewKey): Promise<void> {
  await tx
    .insertInto('api_key')
    .values({
      id: key.id,
      organization_id: organizationId,
      workspace_id: key.workspaceId,
      name: key.name,
      prefix: key.prefix,
      hash: key.hash,
      role: key.role,
      permissions: JSON.stringify(key.permissions),
      scopes: key.scopes ? JSON.stringify(key.scopes) : null,
      expires_at: key.expiresAt,
      revoked_at: null,
      last_used_at: null,
      created_at: key.createdAt,
      kind: key.member?.kind ?? key.kind ?? 'machine',
      member_id: key.member?.id ?? null,
      rate_per_second: key.rateLimit?.perSecond ?? null,
      rate_burst: key.rateLimit?.burst ?? null,
    })
    .execute()
}
