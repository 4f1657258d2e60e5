import { randomBytes } from 'node:crypto'
import { type Caller, hashApiKey, type KeyService, type Permission, type Role } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { AppNotFoundError, OAuthError } from '../apps.errors.ts'
import { recordClientUse } from '../clients/clients.store.ts'
import { type CodeRecord, findCode, markCodeUsed } from './codes.store.ts'
import {
  deleteGrant,
  extendGrant,
  findGrant,
  type GrantRecord,
  insertGrant,
  listGrantsOfMember,
} from './grants.store.ts'
import { challengeOf, hashSecret, newAccessToken, newRefreshToken } from './secrets.ts'
import {
  deleteToken,
  deleteTokensOfKey,
  findToken,
  insertTokens,
  markTokenUsed,
  type TokenRecord,
} from './tokens.store.ts'

export const ACCESS_SECONDS = 3_600
/** Grants that nobody uses for this long end. */
const REFRESH_MS = 30 * 86_400_000

/** Tokens as a client gets them. */
export interface IssuedTokens {
  accessToken: string
  refreshToken: string
  scope: string
}

/** Reasons that a grant ended other than by its person or its client: a secret was used a second time. */
type Replayed = 'code_replayed' | 'refresh_token_replayed'

type Request = NonNullable<Caller['request']>

export interface GrantsOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  keys: KeyService
  /** Rights of a member now. @throws DomainError for one who is a member no more */
  rightsIn(
    tx: Tx,
    member: Pick<Caller, 'organizationId' | 'workspaceId' | 'memberId'>,
  ): Promise<{ role: Role; permissions: readonly Permission[] }>
}

/**
 * Grants of people to clients. Each has a key of its own, of the member, so all that narrows or ends the keys of a
 * member holds for it, too; its tokens lead to that key.
 */
export class Grants {
  readonly #options: GrantsOptions

  constructor(options: GrantsOptions) {
    this.#options = options
  }

  async #issueIn(tx: Tx, { organizationId, keyId, audience, scope }: Issuing, at: Date): Promise<IssuedTokens> {
    const accessToken = newAccessToken()
    const refreshToken = newRefreshToken()
    const token = { keyId, audience, createdAt: at.toISOString() }
    await insertTokens(tx, organizationId, [
      { ...token, hash: hashSecret(accessToken), kind: 'access', expiresAt: after(at, ACCESS_SECONDS * 1000) },
      { ...token, hash: hashSecret(refreshToken), kind: 'refresh', expiresAt: after(at, REFRESH_MS) },
    ])
    return { accessToken, refreshToken, scope }
  }

  async #endIn(tx: Tx, actor: Ending, because?: Replayed): Promise<void> {
    const { clock, keys } = this.#options
    const { organizationId, workspaceId, keyId, clientName, by, request } = actor
    const at = isoNow(clock)
    await keys.endIn(tx, organizationId, keyId)
    await deleteTokensOfKey(tx, organizationId, keyId)
    await deleteGrant(tx, organizationId, keyId)
    await recordAudit(
      tx,
      { organizationId, workspaceId, keyId: by ?? keyId, request },
      {
        action: 'app.disconnected',
        at,
        target: { type: 'app', id: keyId, name: clientName },
        details: because ? { because } : {},
      },
    )
  }

  /** Makes the grant of a code that nobody traded before. */
  async #makeIn(tx: Tx, code: CodeRecord, request: Request): Promise<IssuedTokens> {
    const { clock, newId, keys, rightsIn } = this.#options
    const { organizationId, workspaceId, memberId, clientId, clientName, audience, scope, keyScopes: scopes } = code
    const rights = await rightsIn(tx, { organizationId, workspaceId, memberId }).catch(() => {
      throw new OAuthError('invalid_grant', 'The person is no longer a member of the workspace')
    })
    const now = clock()
    const at = now.toISOString()
    const keyId = newId()
    const expiresAt = after(now, REFRESH_MS)
    await keys.insertIn(tx, organizationId, {
      id: keyId,
      workspaceId,
      name: clientName,
      prefix: '',
      // The secret behind the hash is thrown away: only tokens of the grant lead to this key.
      hash: hashApiKey(randomBytes(32).toString('base64url')),
      ...rights,
      scopes,
      expiresAt,
      createdAt: at,
      member: { kind: 'oauth', id: memberId },
    })
    const grant = { keyId, workspaceId, memberId, clientId, clientName, audience, scope, createdAt: at, expiresAt }
    await insertGrant(tx, organizationId, grant)
    await markCodeUsed(tx, organizationId, code.hash, keyId)
    await recordClientUse(tx, clientId, at)
    await recordAudit(
      tx,
      { organizationId, workspaceId, keyId: code.approvedBy, request },
      {
        action: 'app.connected',
        at,
        target: { type: 'app', id: keyId, name: clientName },
        details: { client_id: clientId, scope, scopes },
      },
    )
    return this.#issueIn(tx, { organizationId, keyId, audience, scope }, now)
  }

  /**
   * Trades a code. A second time it ends what was granted with it: one of the two who had it had stolen it.
   * @throws OAuthError
   */
  async trade(hash: string, isMeant: (code: CodeRecord) => void, request: Request): Promise<IssuedTokens> {
    const { db, writes, clock, keys } = this.#options
    if (!(await findCode(db, hash))) throw new OAuthError('invalid_grant', 'This code is not known')
    const outcome = await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'oauth code', hash)
      const code = await findCode(tx, hash)
      if (!code) throw new OAuthError('invalid_grant', 'This code is not known')
      isMeant(code)
      if (code.keyId) {
        await this.#endIn(tx, { ...code, keyId: code.keyId, request }, 'code_replayed')
        return { replayed: code.keyId }
      }
      if (code.expiresAt <= isoNow(clock)) throw new OAuthError('invalid_grant', 'This code has expired')
      return { issued: await this.#makeIn(tx, code, request) }
    })
    if (outcome.issued) return outcome.issued
    keys.announce(outcome.replayed)
    throw new OAuthError('invalid_grant', 'This code was used before, so what was granted with it has ended')
  }

  /** Trades a code that a browser was sent back with. @throws OAuthError */
  tradeCode(given: { code: string; clientId: string; redirectUri: string; verifier: string }, request: Request) {
    return this.trade(
      hashSecret(given.code),
      ({ clientId, redirectUri, codeChallenge }) => {
        if (clientId !== given.clientId || redirectUri === null)
          throw new OAuthError('invalid_grant', 'This code was given to another client')
        if (redirectUri !== given.redirectUri)
          throw new OAuthError('invalid_grant', 'The redirect_uri is not that of the authorization request')
        if (codeChallenge !== challengeOf(given.verifier))
          throw new OAuthError('invalid_grant', 'The code_verifier does not fit the code_challenge')
      },
      request,
    )
  }

  /** Trades a refresh token for another pair. One that comes a second time ends the grant. @throws OAuthError */
  async refresh(given: { refreshToken: string; clientId: string }, request: Request): Promise<IssuedTokens> {
    const { db, writes, clock, keys } = this.#options
    const hash = hashSecret(given.refreshToken)
    const { token, grant } = await getRefreshable(db, hash)
    if (grant.clientId !== given.clientId)
      throw new OAuthError('invalid_grant', 'This refresh token was given to another client')
    const { organizationId, keyId } = token
    const outcome = await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'oauth grant', keyId)
      const now = clock()
      const key = await keys.findIn(tx, organizationId, keyId)
      if (!key || key.revokedAt !== null) throw ended()
      if (token.expiresAt <= now.toISOString())
        throw new OAuthError('invalid_grant', 'This refresh token has expired: connect once more')
      if (!(await markTokenUsed(tx, organizationId, hash, now.toISOString()))) {
        await this.#endIn(tx, { ...grant, request }, 'refresh_token_replayed')
        return {}
      }
      const expiresAt = after(now, REFRESH_MS)
      await keys.extendIn(tx, organizationId, keyId, expiresAt)
      await extendGrant(tx, organizationId, keyId, expiresAt)
      await recordClientUse(tx, grant.clientId, now.toISOString())
      return { issued: await this.#issueIn(tx, grant, now) }
    })
    if (outcome.issued) return outcome.issued
    keys.announce(keyId)
    throw new OAuthError('invalid_grant', 'This refresh token was used before, so the grant has ended: connect again')
  }

  /**
   * Ends a token that its client gives back: with a refresh token all that was granted.
   * @throws OAuthError for the token of another client; one that is not known has ended already
   */
  async revoke(given: { token: string; clientId: string }, request: Request): Promise<void> {
    const { db, writes, keys } = this.#options
    const hash = hashSecret(given.token)
    const token = await findToken(db, hash)
    const grant = token && (await findGrant(db, token.organizationId, token.keyId))
    if (!token || !grant) return
    if (grant.clientId !== given.clientId)
      throw new OAuthError('invalid_client', 'This token was given to another client')
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'oauth grant', grant.keyId)
      if (token.kind === 'access') await deleteToken(tx, token.organizationId, hash)
      else if (await findGrant(tx, token.organizationId, grant.keyId)) await this.#endIn(tx, { ...grant, request })
    })
    keys.announce(grant.keyId)
  }

  /** Apps that act for a member, with when they were last used. */
  async list(caller: Caller): Promise<(GrantRecord & { lastUsedAt: string | null })[]> {
    const { db, clock, keys } = this.#options
    const { organizationId, memberId } = caller
    if (!memberId) return []
    const grants = await listGrantsOfMember(db, organizationId, memberId, isoNow(clock))
    const found = await Promise.all(
      grants.map(async (grant) => ({ grant, key: await keys.findIn(db, organizationId, grant.keyId) })),
    )
    return found.flatMap(({ grant, key }) =>
      key && key.revokedAt === null ? [{ ...grant, lastUsedAt: key.lastUsedAt }] : [],
    )
  }

  /** Ends what a person granted. @throws AppNotFoundError, also for an app of somebody else */
  async end(caller: Caller, keyId: string): Promise<void> {
    const { writes, keys } = this.#options
    const { organizationId, memberId } = caller
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'oauth grant', keyId)
      const grant = await findGrant(tx, organizationId, keyId)
      if (!grant || !memberId || grant.memberId !== memberId) throw new AppNotFoundError()
      await this.#endIn(tx, { ...grant, by: caller.keyId, request: caller.request })
    })
    keys.announce(keyId)
  }
}

type Issuing = Pick<GrantRecord, 'organizationId' | 'keyId' | 'audience' | 'scope'>

type Ending = Pick<GrantRecord, 'organizationId' | 'workspaceId' | 'keyId' | 'clientName'> & {
  /** Key of who ends it; absent: the app itself. */
  by?: string
  request?: Request
}

const after = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString()

const ended = () => new OAuthError('invalid_grant', 'The grant of this refresh token has ended: connect once more')

async function getRefreshable(db: Db, hash: string): Promise<{ token: TokenRecord; grant: GrantRecord }> {
  const token = await findToken(db, hash)
  if (token?.kind !== 'refresh') throw new OAuthError('invalid_grant', 'This refresh token is not known')
  const grant = await findGrant(db, token.organizationId, token.keyId)
  if (!grant) throw ended()
  return { token, grant }
}
