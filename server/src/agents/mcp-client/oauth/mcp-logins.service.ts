import { hash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Caller, findKeyName } from '../../../access/access.ts'
import { recordAudit } from '../../../audit/record-audit.ts'
import type { Tx } from '../../../db.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import { isoNow } from '../../../platform/clock.ts'
import { commitChecked } from '../../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { McpGrant, McpLogin } from '../../../platform/mcp/oauth.ts'
import type { TokenSource } from '../../../platform/mcp/token-source.ts'
import { refusalOf } from '../../../platform/outbound/outbound-guard.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import type { ChangeableAgent } from '../../agent/agents.access.ts'
import { McpLoginFailedError } from '../../agents.errors.ts'
import {
  type AtServer,
  claimRenewal,
  deleteMcpConnection,
  endRenewal,
  findMcpConnection,
  type McpConnectionRecord,
  replaceMcpConnection,
} from './mcp-connections.store.ts'
import type { FinishMcpLogin, McpConnection } from './mcp-logins.schemas.ts'
import { insertMcpLogin, takeMcpLogin } from './mcp-logins.store.ts'

const LOGIN_MS = 10 * 60_000
/** Lease of a renewal, longer than one takes: a process that dies in the middle holds up the others no longer. */
const RENEWAL_MS = 20_000
const LOOK_AGAIN_MS = 150
/** A token that ends sooner is renewed before it is used. */
const SPARE_MS = 30_000

export interface McpLoginsOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'outbound' | 'writes'> {
  secrets: SecretBox
  publicUrl(): string
}

interface Owner {
  organizationId: string
  id: string
}

/** Logins of agents at MCP servers that ask for one: OAuth with the authorization server that the MCP server names. */
export class McpLogins {
  readonly #options: McpLoginsOptions

  constructor(options: McpLoginsOptions) {
    this.#options = options
  }

  /** @returns the page of the authorization server @throws McpLoginFailedError, ValidationError */
  async begin(caller: Caller, agent: ChangeableAgent, url: string): Promise<string> {
    const refusal = refusalOf(this.#options.outbound, url)
    if (refusal !== undefined) throw invalidField('url', refusal)
    const state = randomBytes(32).toString('base64url')
    // The person comes back to the part of the builder that they left.
    const redirectUrl = `${this.#options.publicUrl()}/agents/${agent.id}?part=tools`
    const { beginLogin } = await loadOAuth()
    const { authorizationUrl, login } = await withReason(
      beginLogin(url, { redirectUrl, state, outbound: this.#options.outbound }),
    )
    const stateHash = hashOf(state)
    await commitChecked(this.#options.writes, (tx) =>
      insertMcpLogin(tx, caller.organizationId, {
        stateHash,
        agentId: agent.id,
        url,
        holderId: loginHolderOf(caller),
        login: this.#options.secrets.seal(JSON.stringify(login), contextOf(agent, url)),
        expiresAt: this.#later(LOGIN_MS),
        at: isoNow(this.#options.clock),
      }),
    )
    return authorizationUrl
  }

  /** @throws McpLoginFailedError for a login that this session did not begin, that was refused, or that is over */
  async finish(caller: Caller, agent: ChangeableAgent, given: FinishMcpLogin) {
    const { organizationId } = caller
    const at = isoNow(this.#options.clock)
    const which = { stateHash: hashOf(given.state), agentId: agent.id, holderId: loginHolderOf(caller), at }
    const begun = await commitChecked(this.#options.writes, (tx) => takeMcpLogin(tx, organizationId, which))
    if (!begun) throw new McpLoginFailedError('This login is over, or was begun elsewhere: connect once more')
    const { url } = begun
    if (given.code === undefined)
      throw new McpLoginFailedError(
        given.error === 'access_denied'
          ? 'The login was refused'
          : `The authorization server answered: ${given.error_description ?? given.error}`.slice(0, 300),
      )
    const login = JSON.parse(this.#options.secrets.open(begun.login, contextOf(agent, url))) as McpLogin
    const { finishLogin } = await loadOAuth()
    const grant = await withReason(
      finishLogin(login, { code: given.code, iss: given.iss, outbound: this.#options.outbound }),
    )
    const connectedBy = (await findKeyName(this.#options.db, organizationId, caller.keyId)) ?? ''
    const connection = {
      agentId: agent.id,
      url,
      ...this.#sealed(agent, url, grant),
      connectedBy,
      connectedAt: at,
      lostAt: null,
      version: 1,
      renewingUntil: null,
    }
    await commitChecked(this.#options.writes, async (tx) => {
      await replaceMcpConnection(tx, organizationId, connection)
      await this.#record(tx, caller, agent, 'connected')
    })
    return { url, connection: toWire(connection) }
  }

  /** Forgets the tokens, and has the authorization server forget them if it can be reached. */
  async disconnect(caller: Caller, agent: ChangeableAgent, url: string): Promise<void> {
    const at = { agentId: agent.id, url }
    const found = await findMcpConnection(this.#options.db, caller.organizationId, at)
    if (!found) return
    await commitChecked(this.#options.writes, async (tx) => {
      await deleteMcpConnection(tx, caller.organizationId, at)
      await this.#record(tx, caller, agent, 'disconnected')
    })
    try {
      const { revokeGrant } = await loadOAuth()
      await revokeGrant(this.#opened(agent, found), this.#options.outbound)
    } catch (err) {
      this.#options.logger.info({ err, agentId: agent.id }, 'tokens of an MCP server were not revoked there')
    }
  }

  async find(agent: Owner, url: string): Promise<McpConnection | null> {
    const found = await findMcpConnection(this.#options.db, agent.organizationId, { agentId: agent.id, url })
    return found ? toWire(found) : null
  }

  /** Tokens of an agent for a server. */
  tokensOf(agent: Owner, url: string): TokenSource {
    return {
      get: () => this.#getToken(agent, url),
      renew: (refused) => this.#getToken(agent, url, refused),
    }
  }

  /** @param refused token that is not to be given again @throws McpLoginError where it cannot be renewed just now */
  async #getToken(agent: Owner, url: string, refused?: string): Promise<string | undefined> {
    const at = { agentId: agent.id, url }
    for (;;) {
      const found = await findMcpConnection(this.#options.db, agent.organizationId, at)
      if (!found || found.lostAt) return undefined
      const grant = this.#opened(agent, found)
      const isDue = found.expiresAt !== null && found.expiresAt <= this.#later(SPARE_MS)
      if (grant.accessToken !== refused && !isDue) return grant.accessToken
      const { version } = found
      const claim = { ...at, version, at: isoNow(this.#options.clock), until: this.#later(RENEWAL_MS) }
      if (await claimRenewal(this.#options.db, agent.organizationId, claim))
        return this.#renew(agent, { ...at, version }, grant)
      // Another run or process is at it: a refresh token that rotates is good for one of them only.
      await wait(LOOK_AGAIN_MS)
    }
  }

  async #renew(agent: Owner, at: AtServer & { version: number }, grant: McpGrant) {
    const { refreshGrant, McpLoginLostError } = await loadOAuth()
    try {
      const next = await refreshGrant(grant, this.#options.outbound)
      await endRenewal(this.#options.db, agent.organizationId, { ...at, ...this.#sealed(agent, at.url, next) })
      return next.accessToken
    } catch (error) {
      const isLost = error instanceof McpLoginLostError
      await endRenewal(this.#options.db, agent.organizationId, {
        ...at,
        ...(isLost && { lostAt: isoNow(this.#options.clock) }),
      })
      if (isLost) return undefined
      throw error
    }
  }

  #sealed(agent: Owner, url: string, grant: McpGrant) {
    return {
      grantData: this.#options.secrets.seal(JSON.stringify(grant), contextOf(agent, url)),
      expiresAt: grant.lifetimeMs === undefined ? null : this.#later(grant.lifetimeMs),
    }
  }

  #opened(agent: Owner, { url, grantData }: McpConnectionRecord): McpGrant {
    return JSON.parse(this.#options.secrets.open(grantData, contextOf(agent, url)))
  }

  /** Time from now on. */
  #later(ms: number): string {
    return new Date(this.#options.clock().getTime() + ms).toISOString()
  }

  #record(tx: Tx, caller: Caller, { id, name, workspaceId }: ChangeableAgent, what: 'connected' | 'disconnected') {
    return recordAudit(tx, caller, {
      action: `agent.mcp_${what}`,
      at: isoNow(this.#options.clock),
      target: { type: 'agent', id, name },
      workspaceId,
    })
  }
}

const loadOAuth = () => import('../../../platform/mcp/oauth.ts')

/** @throws McpLoginFailedError */
async function withReason<T>(work: Promise<T>): Promise<T> {
  const { McpLoginError } = await loadOAuth()
  return work.catch((error) => {
    if (error instanceof McpLoginError) throw new McpLoginFailedError(error.message, { cause: error })
    throw error
  })
}

const toWire = (found: Pick<McpConnectionRecord, 'connectedBy' | 'connectedAt' | 'lostAt'>): McpConnection => ({
  connected_by: found.connectedBy,
  connected_at: found.connectedAt,
  is_lost: found.lostAt !== null,
})

const loginHolderOf = ({ sessionId, keyId }: Caller): string => sessionId ?? keyId

const hashOf = (state: string): string => hash('sha256', state, 'base64url')

const contextOf = ({ organizationId, id }: Owner, url: string): string => `${organizationId} ${id} ${url}`
