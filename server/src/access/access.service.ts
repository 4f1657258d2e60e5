import type { Db } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import type { NewId } from '../platform/ids.ts'
import { UnauthorizedError } from './access.errors.ts'
import {
  findIdentity,
  findKeyByHash,
  hasOrganizations,
  insertKey,
  insertOrganization,
  insertWorkspace,
  recordKeyUse,
} from './access.store.ts'
import { hashApiKey, newApiKey, prefixOf } from './api-key.ts'
import { type Caller, PERMISSIONS, type Permission, type Role } from './caller.ts'

/** A key is looked up again after this time, so a revoked one works no longer than that. */
const TRUST_MS = 3_000
const USE_RECORDED_EVERY_MS = 60_000
const LARGEST_CACHE = 10_000

export type AccessService = ReturnType<typeof createAccessService>

interface Trusted {
  caller: Caller
  until: number
  useRecordedAt: number
}

export function createAccessService({ db, newId, clock }: { db: Db; newId: NewId; clock: Clock }) {
  const trusted = new Map<string, Trusted>()

  /**
   * Who the key stands for, at once for a key that was seen in the last seconds.
   * @throws UnauthorizedError if it is unknown, revoked or expired.
   */
  function authenticate(key: string): Caller | Promise<Caller> {
    const known = trusted.get(key)
    if (known && known.until > clock().getTime()) return known.caller
    return lookUp(key, known?.useRecordedAt ?? 0)
  }

  async function lookUp(key: string, lastRecordedAt: number): Promise<Caller> {
    const now = clock().getTime()
    const row = await findKeyByHash(db, hashApiKey(key))
    trusted.delete(key)
    if (!row) throw new UnauthorizedError('This API key is not known')
    if (row.revoked_at) throw new UnauthorizedError('This API key was revoked')
    if (row.expires_at && Date.parse(row.expires_at) <= now) throw new UnauthorizedError('This API key has expired')
    const caller: Caller = {
      organizationId: row.organization_id,
      workspaceId: row.workspace_id,
      keyId: row.id,
      role: row.role,
      permissions: new Set(JSON.parse(row.permissions) as Permission[]),
    }
    const isUseDue = now - lastRecordedAt > USE_RECORDED_EVERY_MS
    if (isUseDue) await recordKeyUse(db, caller.organizationId, row.id, isoNow(clock))
    if (trusted.size >= LARGEST_CACHE) trusted.clear()
    trusted.set(key, { caller, until: now + TRUST_MS, useRecordedAt: isUseDue ? now : lastRecordedAt })
    return caller
  }

  async function describe(caller: Caller) {
    const row = await findIdentity(db, caller.organizationId, caller.workspaceId, caller.keyId)
    if (!row) throw new UnauthorizedError('This API key is not known')
    return row
  }

  /** An organization with one workspace and its owner's key, which is shown this once. */
  async function createOrganization(name: string, givenKey?: string): Promise<NewOrganization> {
    const key = givenKey ?? newApiKey()
    const created = { organizationId: newId(), workspaceId: newId(), apiKey: key }
    await db.transaction().execute(async (tx) => {
      const createdAt = isoNow(clock)
      await insertOrganization(tx, created.organizationId, name, createdAt)
      await insertWorkspace(tx, created.organizationId, { id: created.workspaceId, name: 'Main', createdAt })
      await insertKey(tx, created.organizationId, {
        id: newId(),
        workspaceId: created.workspaceId,
        name: 'Owner',
        prefix: prefixOf(key),
        hash: hashApiKey(key),
        role: 'owner',
        permissions: [...PERMISSIONS],
        createdAt,
      })
    })
    return created
  }

  return { authenticate, describe, createOrganization, isEmpty: async () => !(await hasOrganizations(db)) }
}

export interface NewOrganization {
  organizationId: string
  workspaceId: string
  apiKey: string
}

/** Every permission of a role: owners and admins hold all. */
export const permissionsOf = (role: Role, given: Permission[]): Permission[] =>
  role === 'member' ? given : [...PERMISSIONS]
