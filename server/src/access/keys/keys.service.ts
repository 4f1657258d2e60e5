import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { isUnlimited, type RateLimits } from '../../platform/cluster/limits/rate-limit.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { ForbiddenError } from '../access.errors.ts'
import { type ApiKeyRecord, findKeyById, insertKey, type NewKey } from '../access.store.ts'
import { type Caller, may, type Permission, RANK, type Role, requireWholeKey } from '../caller.ts'
import { deleteSessionsOfKey } from '../sessions/sessions.store.ts'
import { hashApiKey, newApiKey, prefixOf } from './api-key.ts'
import { ApiKeyNotFoundError, LastOwnerKeyError } from './keys.errors.ts'
import type { CreateApiKey, UpdateApiKey } from './keys.schemas.ts'
import {
  countOwnerKeys,
  findKey,
  findKeyNames,
  findKeyWorkspace,
  listKeys,
  listPersonalKeys,
  markKeyRevoked,
  updateKey,
} from './keys.store.ts'

/** Fields of a key to be made. */
type NewApiKey = Omit<CreateApiKey, 'rate_limit'> & Partial<Pick<CreateApiKey, 'rate_limit'>>

type Workspace = Pick<Caller, 'organizationId' | 'workspaceId'>

/** Maker of a key in its workspace: a caller, or an operator in any that they name. */
type Maker = Actor & { workspaceId: string }

/** A key that a member makes, and what the member may at the moment when it is stored. */
export interface KeyOfMember {
  kind: 'personal'
  id: string
  rightsIn(tx: Tx): Promise<{ role: Role; permissions: readonly Permission[] }>
}

export interface KeyServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  /** Rate limit of all keys, which none may exceed. */
  rateLimit: RateLimits
  /** Called for every key that is revoked or changed here; other processes find out by themselves. */
  onChanged?(keyId: string): void
}

export class KeyService {
  readonly #options: KeyServiceOptions

  constructor(options: KeyServiceOptions) {
    this.#options = options
  }

  /**
   * Stores the key's hash. @returns what is stored of it, and the key itself, which is nowhere else.
   * @param member whose key it is, if it is one of a member; its rights are then the member's
   */
  async make(maker: Maker, fields: NewApiKey, member?: KeyOfMember) {
    const { clock, newId, writes, db } = this.#options
    const { organizationId, workspaceId } = maker
    this.#requireSensible(fields)
    const key = newApiKey()
    const id = newId()
    const { name, scopes } = fields
    await commitChecked(writes, async (tx) => {
      const { role, permissions } = (await member?.rightsIn(tx)) ?? fields
      await insertKey(tx, organizationId, {
        id,
        workspaceId,
        name,
        prefix: prefixOf(key),
        hash: hashApiKey(key),
        role,
        permissions,
        scopes,
        expiresAt: fields.expires_at,
        rateLimit: limitsOf(fields.rate_limit),
        createdAt: isoNow(clock),
        member,
      })
      await recordAudit(tx, maker, {
        action: 'api_key.created',
        at: isoNow(clock),
        target: { type: 'api_key', id, name },
        details: { role, permissions, scopes, expires_at: fields.expires_at, rate_limit: fields.rate_limit ?? null },
      })
    })
    const record = await findKey(db, organizationId, workspaceId, id)
    return { record: record!, key }
  }

  get(workspace: Workspace, keyId: string) {
    return this.#get(this.#options.db, workspace, keyId)
  }

  async revoke(revoker: Maker, keyId: string): Promise<void> {
    const { writes, clock, onChanged } = this.#options
    const { organizationId } = revoker
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'owner keys', organizationId)
      const key = await this.#get(tx, revoker, keyId)
      const now = isoNow(clock)
      if (key.role === 'owner' && key.kind === 'machine' && (await countOwnerKeys(tx, organizationId, now)) === 1)
        throw new LastOwnerKeyError()
      await markKeyRevoked(tx, organizationId, key.id, now)
      const target = { type: 'api_key', id: key.id, name: key.name } as const
      await recordAudit(tx, revoker, { action: 'api_key.revoked', at: now, target })
    })
    onChanged?.(keyId)
  }

  /**
   * Gives a key a new secret; it keeps its id, rights and history. Anyone who signed in to the web UI with the earlier
   * one is signed out.
   * @param overlapSeconds time during which the earlier secret works, too
   * @returns what is stored of it, and the key itself, which is nowhere else.
   * @throws ApiKeyNotFoundError
   */
  async rotate(rotator: Maker, keyId: string, overlapSeconds: number) {
    const { db, writes, clock, onChanged } = this.#options
    const { organizationId, workspaceId } = rotator
    const key = newApiKey()
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'api key', keyId)
      const { name, hash: earlierHash } = await this.#get(tx, rotator, keyId)
      const at = clock()
      const earlierUntil = new Date(at.getTime() + overlapSeconds * 1000).toISOString()
      const rotated = { prefix: prefixOf(key), hash: hashApiKey(key), earlierHash, earlierUntil }
      await updateKey(tx, organizationId, keyId, rotated)
      await deleteSessionsOfKey(tx, organizationId, keyId)
      await recordAudit(tx, rotator, {
        action: 'api_key.rotated',
        at: at.toISOString(),
        target: { type: 'api_key', id: keyId, name },
        details: { overlap_seconds: overlapSeconds },
      })
    })
    onChanged?.(keyId)
    const record = await findKey(db, organizationId, workspaceId, keyId)
    return { record: record!, key }
  }

  /** Stores a key that stands for a member, in the transaction of what makes the member. */
  insertIn(tx: Tx, organizationId: string, key: NewKey) {
    return insertKey(tx, organizationId, key)
  }

  /**
   * Ends a key that stands for something else, in the transaction that ends that; `announce` is to follow the commit.
   */
  endIn(tx: Tx, organizationId: string, keyId: string): Promise<void> {
    return markKeyRevoked(tx, organizationId, keyId, isoNow(this.#options.clock))
  }

  /** Lets a key that stands for something else work longer, in the transaction that renews that. */
  extendIn(tx: Tx, organizationId: string, keyId: string, expiresAt: string): Promise<void> {
    return updateKey(tx, organizationId, keyId, { expiresAt })
  }

  /** Tells those who cache a key that it has changed or ended. */
  announce(keyId: string): void {
    this.#options.onChanged?.(keyId)
  }

  /** Any key of the organization, revoked or not. */
  findIn(from: Db, organizationId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
    return findKeyById(from, organizationId, keyId)
  }

  /** Finds names of keys by their ids, of revoked ones, too. */
  findNames(organizationId: string, ids: string[]) {
    return findKeyNames(this.#options.db, organizationId, ids)
  }

  /** Workspace of a key, whether it is live or not. */
  workspaceOf(organizationId: string, id: string): Promise<string | undefined> {
    return findKeyWorkspace(this.#options.db, organizationId, id)
  }

  /** Creates a key with no more rights than the caller has. @throws ForbiddenError */
  async create(caller: Caller, fields: CreateApiKey) {
    requireMayGive(caller, fields, 'make')
    return this.make(caller, fields)
  }

  /** Changes name, expiry, rate limit and scopes. @throws ApiKeyNotFoundError, ForbiddenError, ValidationError */
  async update(caller: Caller, keyId: string, fields: UpdateApiKey): Promise<ApiKeyRecord> {
    const { db, writes, clock, onChanged } = this.#options
    const { organizationId, workspaceId } = caller
    this.#requireSensible(fields)
    const { name, expires_at: expiresAt, rate_limit, scopes } = fields
    const rateLimit = rate_limit === undefined ? undefined : limitsOf(rate_limit)
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'api key', keyId)
      const key = await this.#get(tx, caller, keyId)
      requireMayGive(caller, key, 'change')
      if (key.kind !== 'machine' && scopes !== undefined)
        throw new ForbiddenError('This key has the rights of a member: it cannot be given other scopes')
      if (Object.keys(fields).length === 0) return
      await updateKey(tx, organizationId, keyId, { name, expiresAt, scopes, rateLimit })
      const target = { type: 'api_key', id: keyId, name: name ?? key.name } as const
      await recordAudit(tx, caller, { action: 'api_key.updated', at: isoNow(clock), target, details: fields })
    })
    onChanged?.(keyId)
    return (await findKey(db, organizationId, workspaceId, keyId))!
  }

  /**
   * Rotates a key of the workspace for a caller that could make one like it.
   * @throws ApiKeyNotFoundError, ForbiddenError; members rotate their personal keys themselves
   */
  async rotateFor(caller: Caller, keyId: string, overlapSeconds: number) {
    const key = await this.get(caller, keyId)
    requireMayGive(caller, key, 'change')
    if (key.kind === 'personal')
      throw new ForbiddenError('This is the personal key of a member, who alone may rotate it; you may revoke it')
    return this.rotate(caller, keyId, overlapSeconds)
  }

  listPersonal({ organizationId, workspaceId }: Caller, memberId: string): Promise<ApiKeyRecord[]> {
    return listPersonalKeys(this.#options.db, organizationId, workspaceId, memberId)
  }

  list(caller: Caller, { page, page_size }: { page: number; page_size: number }) {
    return listKeys(this.#options.db, caller.organizationId, caller.workspaceId, {
      limit: page_size,
      offset: (page - 1) * page_size,
    })
  }

  /**
   * Works at once here, and a moment later in other processes: after 3 seconds at the latest.
   * @throws ApiKeyNotFoundError, LastOwnerKeyError, ForbiddenError
   */
  async remove(caller: Caller, keyId: string): Promise<void> {
    const key = await findKey(this.#options.db, caller.organizationId, caller.workspaceId, keyId)
    if (key && RANK[key.role] > RANK[caller.role]) {
      throw new ForbiddenError(`A key with the role ${caller.role} cannot revoke one with the role ${key.role}`)
    }
    await this.revoke(caller, keyId)
  }

  /** @throws ValidationError for an expiry in the past, or a rate limit above that of all keys */
  #requireSensible({ expires_at, rate_limit }: Pick<UpdateApiKey, 'expires_at' | 'rate_limit'>): void {
    const { clock, rateLimit } = this.#options
    if (expires_at && expires_at <= isoNow(clock)) throw invalidField('expires_at', 'must be in the future')
    if (!rate_limit || isUnlimited(rateLimit)) return
    if (rate_limit.per_second > rateLimit.perSecond)
      throw invalidField('rate_limit.per_second', `must be at most ${rateLimit.perSecond}, the limit of all keys`)
    if (rate_limit.burst > rateLimit.burst)
      throw invalidField('rate_limit.burst', `must be at most ${rateLimit.burst}, the limit of all keys`)
  }

  /** @throws ApiKeyNotFoundError, also for one that was revoked */
  async #get(from: Db, { organizationId, workspaceId }: Workspace, keyId: string): Promise<ApiKeyRecord> {
    const key = await findKey(from, organizationId, workspaceId, keyId)
    if (!key) throw new ApiKeyNotFoundError()
    return key
  }
}

type Rights = Pick<ApiKeyRecord, 'role' | 'permissions'>

/** Requires that the caller itself has all that the key may. @throws ForbiddenError */
function requireMayGive(caller: Caller, { role, permissions }: Rights, verb: 'make' | 'change'): void {
  if (RANK[role] > RANK[caller.role])
    throw new ForbiddenError(`A key with the role ${caller.role} cannot ${verb} one with the role ${role}`)
  const beyond = permissions.find((permission) => !may(caller, permission))
  const act = verb === 'make' ? 'give' : 'change one with'
  if (beyond) throw new ForbiddenError(`A key cannot ${act} the permission ${beyond}, which it lacks itself`)
  requireWholeKey(caller, `${verb} keys`)
}

const limitsOf = (limit: NewApiKey['rate_limit']): RateLimits | null =>
  limit ? { perSecond: limit.per_second, burst: limit.burst } : null
