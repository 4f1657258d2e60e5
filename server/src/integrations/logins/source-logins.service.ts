import { hash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Caller, findKeyName } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import type { SourceApp, SourceProvider } from '../../platform/source-apps.ts'
import { SourceLoginFailedError } from '../integrations.errors.ts'
import { type SourceTokens, SourceUnavailableError } from '../source.ts'
import {
  authorizationUrlOf,
  exchangeCode,
  newVerifier,
  refreshGrant,
  type SourceGrant,
  SourceLoginError,
  SourceLoginLostError,
} from './oauth.ts'
import { PROVIDERS } from './providers.ts'
import type { SourceApps } from './source-apps.service.ts'
import {
  attachConnection,
  claimRenewal,
  endRenewal,
  findConnection,
  findConnectionsOf,
  insertConnection,
  type SourceConnectionRecord,
} from './source-connections.store.ts'
import type { FinishSourceLogin } from './source-logins.schemas.ts'
import { insertLogin, takeLogin } from './source-logins.store.ts'

const LOGIN_MS = 10 * 60_000
const UNUSED_MS = 24 * 3_600_000
/** Lease of a renewal, longer than one takes: a process that dies in the middle holds up the others no longer. */
const RENEWAL_MS = 20_000
const LOOK_AGAIN_MS = 150
/** A token that ends sooner is renewed before it is used. */
const SPARE_MS = 60_000

interface SourceLoginsOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'outbound' | 'writes'> {
  apps: SourceApps
  getSecret: (use: 'secrets') => Promise<string>
  publicUrl(): string
}

/** Use of a connection that somebody asks for. */
interface Use {
  organizationId: string
  keyId: string | null
  provider: SourceProvider | undefined
  /** Integration that may have it already. */
  integrationId?: string
}

/** Logins of people at providers of documents (OAuth 2.0, authorization code). */
export class SourceLogins {
  readonly #options: SourceLoginsOptions
  readonly #box

  constructor(options: SourceLoginsOptions) {
    this.#options = options
    this.#box = lazy(async () => createSecretBox(await options.getSecret('secrets'), 'source logins'))
  }

  /** @returns the page of the provider to send the person to @throws ValidationError */
  async begin(caller: Caller, provider: SourceProvider): Promise<string> {
    const found = await this.#options.apps.find(caller, provider)
    if (!found)
      throw invalidField(
        'provider',
        'is not set up: an admin has to register an app there (Settings → Integrations), or an operator (DOCENT_SOURCE_APPS)',
      )
    const state = randomBytes(32).toString('base64url')
    const verifier = newVerifier()
    const stateHash = hashOf(state)
    const { seal } = await this.#box.get()
    await commitChecked(this.#options.writes, (tx) =>
      insertLogin(tx, caller.organizationId, {
        stateHash,
        provider,
        holderId: loginHolderOf(caller),
        verifier: seal(verifier, `${caller.organizationId} ${stateHash}`),
        expiresAt: this.#later(LOGIN_MS),
        at: isoNow(this.#options.clock),
        unusedBefore: this.#later(-UNUSED_MS),
      }),
    )
    return authorizationUrlOf(found.app, { state, verifier, redirectUrl: this.redirectUrl() })
  }

  /** @throws SourceLoginFailedError for a login that this session did not begin, that was refused, or that is over */
  async finish(caller: Caller, given: FinishSourceLogin): Promise<SourceConnectionRecord> {
    const { db, writes, clock, newId, outbound } = this.#options
    const { organizationId, keyId } = caller
    const at = isoNow(clock)
    const stateHash = hashOf(given.state)
    const holderId = loginHolderOf(caller)
    const begun = await commitChecked(writes, (tx) => takeLogin(tx, organizationId, { stateHash, holderId, at }))
    const found = begun && (await this.#options.apps.find(caller, begun.provider))
    if (!found) throw new SourceLoginFailedError('This login is over, or was begun elsewhere: connect once more')
    const { app, appWorkspaceId, appHash } = found
    if (given.code === undefined)
      throw new SourceLoginFailedError(
        given.error === 'access_denied'
          ? 'The login was refused'
          : `${PROVIDERS[app.provider].name} answered: ${given.error_description ?? given.error}`.slice(0, 300),
      )
    const { open } = await this.#box.get()
    const verifier = open(begun.verifier, `${organizationId} ${stateHash}`)
    const asked = { code: given.code, verifier, redirectUrl: this.redirectUrl() }
    const { grant, account } = await exchangeCode(outbound, app, asked).catch((error) => {
      throw error instanceof SourceLoginError ? new SourceLoginFailedError(error.message, { cause: error }) : error
    })
    const id = newId()
    const connection: SourceConnectionRecord = {
      id,
      organizationId,
      provider: app.provider,
      keyId,
      integrationId: null,
      account,
      ...(await this.#sealed(organizationId, id, grant)),
      connectedBy: (await findKeyName(db, organizationId, keyId)) ?? '',
      connectedAt: at,
      lostAt: null,
      version: 1,
      appWorkspaceId,
      appHash,
      renewingUntil: null,
    }
    await commitChecked(writes, (tx) => insertConnection(tx, organizationId, connection))
    return connection
  }

  /** @throws ValidationError for a connection that somebody else made, that is of another provider, or in use */
  async require(db: Db, connectionId: string, { organizationId, keyId, provider, integrationId }: Use): Promise<void> {
    const found = isId(connectionId) ? await findConnection(db, organizationId, connectionId) : undefined
    const isFree = found && (found.integrationId === null || found.integrationId === integrationId)
    if (!isFree || found.keyId !== keyId || found.provider !== provider)
      throw invalidField('config.connection', 'must be a login that you made at this provider: connect once more')
  }

  /** Gives an integration its connection; one that it had before is forgotten. */
  attach(tx: Tx, organizationId: string, integrationId: string, connectionId: string | undefined): Promise<void> {
    return attachConnection(tx, organizationId, integrationId, connectionId)
  }

  /** Connections by the id of the integration. */
  ofIntegrations(
    organizationId: string,
    ids: string[],
    db: Db = this.#options.db,
  ): Promise<Map<string, SourceConnectionRecord>> {
    return findConnectionsOf(db, organizationId, ids)
  }

  /** Tokens of a connection, for a source that reads with it. */
  tokensOf(organizationId: string, connectionId: string): SourceTokens {
    let last: string | undefined
    return {
      get: async (signal, isRefused) => {
        last = await this.#getToken(organizationId, connectionId, signal, isRefused ? last : undefined)
        return last
      },
    }
  }

  /** @param refused token that is not to be given again @throws SourceUnavailableError */
  async #getToken(organizationId: string, id: string, signal: AbortSignal, refused?: string): Promise<string> {
    const { db, clock, apps } = this.#options
    for (;;) {
      const found = await findConnection(db, organizationId, id)
      if (!found) throw new SourceUnavailableError('connection', 'the login is not there any more: connect again')
      const app = await apps.ofLogin(organizationId, found)
      if (!app) throw new SourceUnavailableError('connection', goneMessage(found))
      if (found.lostAt) throw new SourceUnavailableError('connection', lostMessage(app))
      const { open } = await this.#box.get()
      const grant = JSON.parse(open(found.grantData, contextOf(organizationId, id))) as SourceGrant
      const isDue = found.expiresAt !== null && found.expiresAt <= this.#later(SPARE_MS)
      if (grant.accessToken !== refused && !isDue) return grant.accessToken
      const { version } = found
      const claim = { id, version, at: isoNow(clock), until: this.#later(RENEWAL_MS) }
      if (await claimRenewal(db, organizationId, claim)) return this.#renew(organizationId, { id, version }, app, grant)
      // Another sync or process is at it: a refresh token that rotates is good for one of them only.
      await wait(LOOK_AGAIN_MS, undefined, { signal })
    }
  }

  async #renew(organizationId: string, at: { id: string; version: number }, app: SourceApp, grant: SourceGrant) {
    const { db, outbound, clock } = this.#options
    try {
      const next = await refreshGrant(outbound, app, grant)
      await endRenewal(db, organizationId, { ...at, ...(await this.#sealed(organizationId, at.id, next)) })
      return next.accessToken
    } catch (error) {
      const isLost = error instanceof SourceLoginLostError
      await endRenewal(db, organizationId, { ...at, ...(isLost && { lostAt: isoNow(clock) }) })
      if (isLost) throw new SourceUnavailableError('connection', lostMessage(app), { cause: error })
      if (!(error instanceof SourceLoginError)) throw error
      throw new SourceUnavailableError('connection', `the login cannot be renewed now: ${error.message}`, {
        cause: error,
      })
    }
  }

  async #sealed(organizationId: string, id: string, grant: SourceGrant) {
    const { seal } = await this.#box.get()
    return {
      grantData: seal(JSON.stringify(grant), contextOf(organizationId, id)),
      expiresAt: grant.lifetimeMs === undefined ? null : this.#later(grant.lifetimeMs),
    }
  }

  /** Page of the UI where people begin a login, and come back to. */
  redirectUrl(): string {
    return `${this.#options.publicUrl()}/settings/integrations`
  }

  /** Time from now on. */
  #later(ms: number): string {
    return new Date(this.#options.clock().getTime() + ms).toISOString()
  }
}

const lostMessage = ({ provider }: SourceApp): string =>
  `the login at ${PROVIDERS[provider].name} was revoked or has expired: connect again`

/** Reason why a login cannot be used whose app is gone, or another one by now. */
const goneMessage = ({ provider, appWorkspaceId }: SourceConnectionRecord): string =>
  appWorkspaceId === null
    ? `${provider} is no longer set up (DOCENT_SOURCE_APPS)`
    : `the app at ${PROVIDERS[provider].name} that it was made with is not set up any more: connect again`

const loginHolderOf = ({ sessionId, keyId }: Caller): string => sessionId ?? keyId

const hashOf = (state: string): string => hash('sha256', state, 'base64url')

const contextOf = (organizationId: string, id: string): string => `${organizationId} ${id}`
