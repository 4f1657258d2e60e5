import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/advisory-locks.ts'
import { commitChecked } from '../../platform/database/commit-checked.ts'
import { DomainError, ValidationError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { ForbiddenError } from '../access.errors.ts'
import { findKeyById, insertKey, type NewKey } from '../access.store.ts'
import { type Caller, may, type Permission, RANK, type Role } from '../caller.ts'
import { hashApiKey, newApiKey, prefixOf } from './api-key.ts'
import type { CreateApiKey } from './keys.schemas.ts'
import { type ApiKeyRow, countOwnerKeys, findKey, keyNames, listKeys, markKeyRevoked } from './keys.store.ts'

export class ApiKeyNotFoundError extends DomainError {
  override name = 'ApiKeyNotFoundError'
  readonly kind = 'not-found'
  readonly code = 'API_KEY_NOT_FOUND'
  constructor() {
    super('This workspace has no API key with this id')
  }
}

export class LastOwnerKeyError extends DomainError {
  override name = 'LastOwnerKeyError'
  readonly kind = 'conflict'
  readonly code = 'LAST_OWNER_KEY'
  constructor() {
    super('This is the last key of an owner; make another one before you revoke it')
  }
}

type Workspace = Pick<Caller, 'organizationId' | 'workspaceId'>

/** Maker of a key in its workspace: a caller, or an operator in any that they name. */
type Maker = Actor & { workspaceId: string }

/** A key that a member makes, and what the member may at the moment when it is stored. */
export interface KeyOfMember {
  kind: 'personal'
  id: string
  rightsIn(tx: Tx): Promise<{ role: Role; permissions: readonly Permission[] }>
}

export interface KeyServiceOptions {
  db: Db
  writes: Writes
  newId: NewId
  clock: Clock
  /** Told of every key that is revoked here; processes that are not told find out by themselves. */
  onRevoked?(keyId: string): void
}

export class KeyService {
  readonly #options: KeyServiceOptions

  constructor(options: KeyServiceOptions) {
    this.#options = options
  }

  /**
   * Stores the key's hash. @returns the row, and the key itself, which is nowhere else.
   * @param member whose key it is, if it is one of a member; its rights are then the member's
   */
  async make(maker: Maker, fields: CreateApiKey, member?: KeyOfMember) {
    const { clock, newId, writes, db } = this.#options
    const { organizationId, workspaceId } = maker
    if (fields.expires_at && fields.expires_at <= isoNow(clock)) {
      const message = 'must be in the future'
      throw new ValidationError(`expires_at: ${message}`, [{ path: 'expires_at', message }])
    }
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
        createdAt: isoNow(clock),
        member,
      })
      await recordAudit(tx, maker, {
        action: 'api_key.created',
        at: isoNow(clock),
        target: { type: 'api_key', id, name },
        details: { role, permissions, scopes, expires_at: fields.expires_at },
      })
    })
    const row = await findKey(db, organizationId, workspaceId, id)
    return { row: row!, key }
  }

  get(workspace: Workspace, keyId: string) {
    return this.#get(this.#options.db, workspace, keyId)
  }

  async revoke(revoker: Maker, keyId: string): Promise<void> {
    const { writes, clock, onRevoked } = this.#options
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
    onRevoked?.(keyId)
  }

  /** Stores a key that stands for a member, in the transaction of what makes the member. */
  insertIn(tx: Tx, organizationId: string, key: NewKey) {
    return insertKey(tx, organizationId, key)
  }

  /** Any key of the organization, revoked or not. */
  findIn(from: Db, organizationId: string, keyId: string): Promise<ApiKeyRow | undefined> {
    return findKeyById(from, organizationId, keyId)
  }

  /** By their ids; those that were revoked have theirs, too. */
  namesOf(organizationId: string, ids: string[]) {
    return keyNames(this.#options.db, organizationId, ids)
  }

  /** Nobody gives more than they have. @throws ForbiddenError */
  async create(caller: Caller, fields: CreateApiKey) {
    if (RANK[fields.role] > RANK[caller.role]) {
      throw new ForbiddenError(`A key with the role ${caller.role} cannot make one with the role ${fields.role}`)
    }
    const beyond = fields.permissions.find((permission) => !may(caller, permission))
    if (beyond) throw new ForbiddenError(`A key cannot give the permission ${beyond}, which it lacks itself`)
    // A narrowed key could otherwise make itself a wider one.
    if (caller.scopes) throw new ForbiddenError('A key that is narrowed by scopes cannot make keys')
    return this.make(caller, fields)
  }

  list(caller: Caller, { page, page_size }: { page: number; page_size: number }) {
    return listKeys(this.#options.db, caller.organizationId, caller.workspaceId, {
      limit: page_size,
      offset: (page - 1) * page_size,
    })
  }

  /** Works at once here, and a moment later in other processes: after 3 seconds at the latest. @throws ApiKeyNotFoundError, LastOwnerKeyError, ForbiddenError */
  async remove(caller: Caller, keyId: string): Promise<void> {
    const key = await findKey(this.#options.db, caller.organizationId, caller.workspaceId, keyId)
    if (key && RANK[key.role] > RANK[caller.role]) {
      throw new ForbiddenError(`A key with the role ${caller.role} cannot revoke one with the role ${key.role}`)
    }
    await this.revoke(caller, keyId)
  }

  /** @throws ApiKeyNotFoundError, also for one that was revoked */
  async #get(from: Db, { organizationId, workspaceId }: Workspace, keyId: string): Promise<ApiKeyRow> {
    const key = await findKey(from, organizationId, workspaceId, keyId)
    if (!key) throw new ApiKeyNotFoundError()
    return key
  }
}

export type { ApiKeyRow }
