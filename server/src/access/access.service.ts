import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { createLruCache } from '../platform/lru-cache.ts'
import { UnauthorizedError } from './access.errors.ts'
import { findIdentity, findKeyByHash, findKeyById, recordKeyUse, type UsedKey } from './access.store.ts'
import { type Caller, PERMISSIONS, type Permission, type Role, rightsHolderOf } from './caller.ts'
import { hashApiKey, isMistyped } from './keys/api-key.ts'
import { hasOrganizations } from './organizations.store.ts'
import { createFirstOrganization, createOrganization, createWorkspace } from './organizations.ts'

/** A key is looked up again after this time, so a revoked one works no longer than that. */
export const TRUST_MS = 3_000
const USE_RECORDED_EVERY_MS = 60_000
const LARGEST_CACHE = 10_000
const MISTYPED = 'This API key is mistyped: check that all of it was copied'

export type AccessService = ReturnType<typeof createAccessService>

interface Trusted {
  caller: Caller
  until: number
  useRecordedAt: number
}

export type AccessServiceOptions = Pick<KernelParts, 'clock' | 'db' | 'logger' | 'newId' | 'writes'>

export function createAccessService(options: AccessServiceOptions) {
  const { db, writes, clock, logger } = options
  const trusted = createLruCache<Trusted>(LARGEST_CACHE)
  /** Requests that come at once with a key not seen lately share one statement. */
  let underWay = new Map<string, Promise<Caller>>()
  let revocations = 0

  /**
   * The caller that a key stands for, at once for a key that was seen in the last seconds.
   * @throws UnauthorizedError if it is unknown, revoked or expired.
   */
  function authenticate(key: string): Caller | Promise<Caller> {
    const known = trusted.get(key)
    if (known && known.until > clock().getTime()) return known.caller
    return lookUp(key)
  }

  function lookUp(key: string): Promise<Caller> {
    const known = underWay.get(key)
    if (known) return known
    const mine = underWay
    const found = find(key).finally(() => mine.delete(key))
    mine.set(key, found)
    return found
  }

  async function find(key: string): Promise<Caller> {
    const before = revocations
    const hash = hashApiKey(key)
    const stored = await findKeyByHash(db, hash)
    const now = clock().getTime()
    const lastRecordedAt = trusted.get(key)?.useRecordedAt ?? 0
    trusted.delete(key)
    if (!stored) throw new UnauthorizedError(isMistyped(key) ? MISTYPED : 'This API key is not known')
    const caller = callerOf(stored, now)
    const isUseDue = now - lastRecordedAt > USE_RECORDED_EVERY_MS
    const rotatedAt = stored.earlierHash === hash ? stored.earlierUntil : null
    if (rotatedAt && Date.parse(rotatedAt) <= now)
      throw new UnauthorizedError('This API key was rotated, and its earlier secret has ended: use the new one')
    const until = Math.min(now + TRUST_MS, timeOf(stored.expiresAt), timeOf(rotatedAt))
    // A key that was read while it was revoked may be as it was before.
    if (before === revocations) trusted.set(key, { caller, until, useRecordedAt: isUseDue ? now : lastRecordedAt })
    if (isUseDue) recordUse(caller, stored.id)
    return caller
  }

  /** Caller behind a key that was seen before, looked up now. @throws UnauthorizedError as `authenticate` */
  async function byId(organizationId: string, keyId: string): Promise<Caller> {
    const key = await findKeyById(db, organizationId, keyId)
    if (!key) throw new UnauthorizedError('This API key is not known')
    return callerOf(key, clock().getTime())
  }

  /** Looks the key up again at its next use: it was revoked. */
  function forget(keyId: string): void {
    revocations++
    underWay = new Map()
    for (const [key, { caller }] of trusted) if (caller.keyId === keyId) trusted.delete(key)
  }

  /** Looks all keys up again at their next use. */
  function forgetAll(): void {
    revocations++
    underWay = new Map()
    trusted.clear()
  }

  /** Runs beside the request: nobody waits for it or is refused because of it. */
  function recordUse({ organizationId }: Caller, keyId: string): void {
    writes
      .commit((tx) => recordKeyUse(tx, organizationId, keyId, isoNow(clock)))
      .catch((error) => logger.warn({ err: error, key_id: keyId }, 'the use of a key could not be recorded'))
  }

  /** Records that a key is used by way of something that stands for it. */
  const noteUse = (caller: Caller): void => recordUse(caller, caller.keyId)

  async function describe(caller: Caller) {
    const identity = await findIdentity(db, caller.organizationId, caller.workspaceId, caller.keyId)
    if (!identity) throw new UnauthorizedError('This API key is not known')
    return identity
  }

  return {
    authenticate,
    byId,
    noteUse,
    forget,
    forgetAll,
    describe,
    createOrganization: (name: string) => createOrganization(options, name),
    createFirstOrganization: (name: string, apiKey: string) => createFirstOrganization(options, name, apiKey),
    createWorkspace: (organizationId: string, name: string) => createWorkspace(options, organizationId, name),
    isEmpty: async () => !(await hasOrganizations(db)),
  }
}

const timeOf = (iso: string | null): number => (iso ? Date.parse(iso) : Number.POSITIVE_INFINITY)

/** @throws UnauthorizedError if it was revoked or has expired */
export function requireLive(key: UsedKey, now: number): void {
  if (key.revokedAt)
    throw new UnauthorizedError(
      key.kind === 'member'
        ? 'You are no longer a member of this workspace: sign in again'
        : key.kind === 'oauth'
          ? 'This app is no longer connected: connect it once more'
          : 'This API key was revoked',
    )
  if (key.expiresAt && Date.parse(key.expiresAt) <= now) throw new UnauthorizedError('This API key has expired')
}

/** The caller that a key stands for. @throws UnauthorizedError if it was revoked or has expired */
export function callerOf(key: UsedKey, now: number): Caller {
  if (key.kind === 'scim') throw new UnauthorizedError('This is a SCIM token, which works below /scim/v2 alone')
  requireLive(key, now)
  const { organizationId, workspaceId, id: keyId, role, scopes, memberId, rateLimit } = key
  return {
    organizationId,
    workspaceId,
    keyId,
    role,
    permissions: new Set(key.permissions),
    scopes,
    ...(scopes?.virtual_user_ids && { virtualUserIds: scopes.virtual_user_ids }),
    ...(memberId && { memberId }),
    rightsHolderId: rightsHolderOf(key),
    ...(key.needsSecondFactor && { needsSecondFactor: true as const }),
    ...(rateLimit && { rateLimit }),
  }
}

/** Every permission of a role: owners and admins hold all. */
export const permissionsOf = (role: Role, given: Permission[]): Permission[] =>
  role === 'member' ? given : [...PERMISSIONS]
