import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { ForbiddenError, UnauthorizedError } from '../access.errors.ts'
import { requireLive } from '../access.service.ts'
import { type ApiKeyRecord, findKeyByHash, insertKey, recordKeyUse } from '../access.store.ts'
import { type Caller, RANK, type Role, requireWholeKey } from '../caller.ts'
import { hashApiKey, newApiKey, prefixOf, SCIM_PREFIX } from '../keys/api-key.ts'
import { markKeyRevoked } from '../keys/keys.store.ts'
import { ScimTokenNotFoundError } from './scim-tokens.errors.ts'
import { listScimTokens } from './scim-tokens.store.ts'

const USE_RECORDED_EVERY_MS = 60_000
const MOST_TOKENS = 20

/** Directory behind a request: the workspace whose members it manages, and the role up to which it may. */
export interface Directory {
  organizationId: string
  workspaceId: string
  /** Id of the token. */
  keyId: string
  role: Role
  request?: Caller['request']
}

export type ScimTokenOptions = Pick<KernelParts, 'clock' | 'db' | 'logger' | 'newId' | 'writes'>

export type ScimTokens = ReturnType<typeof createScimTokens>

/**
 * Tokens with which the directory of a company manages the members of a workspace. They are kept among the keys, so that
 * the audit log names them, but open nothing else. None is cached: a revoked one ends at once.
 */
export function createScimTokens({ db, writes, newId, clock, logger }: ScimTokenOptions) {
  const list = ({ organizationId, workspaceId }: Pick<Caller, 'organizationId' | 'workspaceId'>) =>
    listScimTokens(db, organizationId, workspaceId)

  /** @returns what is stored of it, and the token itself, which is nowhere else. It may manage up to its maker's role. */
  async function create(caller: Caller, { name, expires_at: expiresAt }: { name: string; expires_at: string | null }) {
    const { organizationId, workspaceId, role } = caller
    requireWholeKey(caller, 'manage SCIM tokens')
    const at = isoNow(clock)
    if (expiresAt && expiresAt <= at) throw invalidField('expires_at', 'must be in the future')
    const token = newApiKey(SCIM_PREFIX)
    const id = newId()
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'scim tokens', workspaceId)
      if ((await listScimTokens(tx, organizationId, workspaceId)).length >= MOST_TOKENS)
        throw new ForbiddenError(`A workspace has at most ${MOST_TOKENS} SCIM tokens: revoke one that is not used`)
      await insertKey(tx, organizationId, {
        id,
        workspaceId,
        name,
        prefix: prefixOf(token),
        hash: hashApiKey(token),
        role,
        permissions: [],
        // An earlier version of the server, which does not know the kind, lets it do nothing either.
        scopes: { operations: ['scim.*'] },
        expiresAt,
        createdAt: at,
        kind: 'scim',
      })
      const target = { type: 'scim_token', id, name } as const
      await recordAudit(tx, caller, { action: 'scim_token.created', at, target, details: { expires_at: expiresAt } })
    })
    const record = (await list(caller)).find((one) => one.id === id)
    return { record: record!, token }
  }

  /** @throws ScimTokenNotFoundError, ForbiddenError for the token of somebody of a higher role */
  async function revoke(caller: Caller, tokenId: string): Promise<void> {
    const { organizationId, workspaceId } = caller
    requireWholeKey(caller, 'manage SCIM tokens')
    await commitChecked(writes, async (tx) => {
      const known = (await listScimTokens(tx, organizationId, workspaceId)).find(({ id }) => id === tokenId)
      if (!known) throw new ScimTokenNotFoundError()
      if (RANK[known.role] > RANK[caller.role])
        throw new ForbiddenError(`The role ${caller.role} may not revoke a token that somebody with a higher role made`)
      const at = isoNow(clock)
      await markKeyRevoked(tx, organizationId, tokenId, at)
      const target = { type: 'scim_token', id: tokenId, name: known.name } as const
      await recordAudit(tx, caller, { action: 'scim_token.revoked', at, target })
    })
  }

  /** @throws UnauthorizedError */
  async function authenticate(token: string | undefined): Promise<Directory> {
    if (token === undefined) throw new UnauthorizedError('Send the SCIM token as Authorization: Bearer …')
    const stored = await findKeyByHash(db, hashApiKey(token))
    if (stored?.kind !== 'scim') throw new UnauthorizedError('This SCIM token is not known')
    requireLive(stored, clock().getTime())
    recordUse(stored)
    const { organizationId, workspaceId, id: keyId, role } = stored
    return { organizationId, workspaceId, keyId, role }
  }

  /** Runs beside the request: nobody waits for it or is refused because of it. */
  function recordUse({ id, organizationId, lastUsedAt }: ApiKeyRecord): void {
    if (lastUsedAt && clock().getTime() - Date.parse(lastUsedAt) < USE_RECORDED_EVERY_MS) return
    writes
      .commit((tx) => recordKeyUse(tx, organizationId, id, isoNow(clock)))
      .catch((error) => logger.warn({ err: error, key_id: id }, 'the use of a SCIM token could not be recorded'))
  }

  return { list, create, revoke, authenticate }
}
