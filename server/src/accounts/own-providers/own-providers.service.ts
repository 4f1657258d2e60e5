import { randomUUID } from 'node:crypto'
import { type Caller, ForbiddenError, RANK, type Role } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField, invalidFields } from '../../platform/errors.ts'
import { problemsOf } from '../../platform/http/validation/issue-places.ts'
import { MOST_PROVIDERS, Provider } from '../../platform/sign-in-providers.ts'
import { ProviderByEnvironmentError, ProviderIdConflictError, ProviderNotFoundError } from '../accounts.errors.ts'
import { requireWhole } from '../members/members.service.ts'
import { examineProvider } from './examine-provider.ts'
import { type KnownProviders, sealedFor, toProvider } from './known-providers.ts'
import type { CreateSignInProvider, ReplaceSignInProvider, TestSignInProvider } from './own-providers.schemas.ts'
import {
  deleteOwnProvider,
  findOwnProvider,
  insertOwnProvider,
  listOwnProviders,
  type OwnProviderConfig,
  type OwnProviderRecord,
  updateOwnProvider,
} from './own-providers.store.ts'

const TESTS = { perSecond: 0.2, burst: 20 }

export interface OwnProviderOptions extends Pick<KernelParts, 'clock' | 'db' | 'outbound' | 'writes'> {
  createLimiter: CreateLimiter
  knownProviders: KnownProviders
  publicUrl(): string
}

/** OpenID Connect providers that admins of a workspace set up. None gives, or signs in, a role above its maker's. */
export class OwnProviders {
  readonly #options: OwnProviderOptions
  readonly #limiter: ReturnType<CreateLimiter>
  readonly #fixedIds: ReadonlySet<string>

  constructor(options: OwnProviderOptions) {
    this.#options = options
    this.#limiter = options.createLimiter('test of a provider', TESTS)
    this.#fixedIds = new Set(options.knownProviders.fixed.map(({ id }) => id))
  }

  redirectUriOf(id: string): string {
    return `${this.#options.publicUrl()}/sign-in/${id}`
  }

  list({ organizationId, workspaceId }: Caller): Promise<OwnProviderRecord[]> {
    return listOwnProviders(this.#options.db, organizationId, workspaceId)
  }

  /** Providers of the environment that lead to the caller's workspace. */
  fixedOf({ workspaceId }: Caller) {
    return this.#options.knownProviders.fixed.filter((one) => !one.workspace_id || one.workspace_id === workspaceId)
  }

  /** @throws ProviderIdConflictError, ForbiddenError, ValidationError */
  async create(caller: Caller, { id, client_secret, ...fields }: CreateSignInProvider): Promise<OwnProviderRecord> {
    const { knownProviders, clock, writes } = this.#options
    requireWhole(caller)
    const config = toConfig(caller, id, fields, client_secret)
    const box = await knownProviders.box.get()
    const { organizationId, workspaceId, role } = caller
    const at = isoNow(clock)
    const secret = client_secret === undefined ? null : box.seal(client_secret, sealedFor({ id, organizationId }))
    const times = { createdAt: at, updatedAt: at, version: randomUUID() }
    const made: OwnProviderRecord = { id, organizationId, workspaceId, config, secret, role, ...times }
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'sign-in providers', workspaceId)
      await takeAdvisoryLock(tx, 'sign-in provider', id)
      if (this.#fixedIds.has(id) || (await findOwnProvider(tx, id))) throw new ProviderIdConflictError(id)
      if ((await listOwnProviders(tx, organizationId, workspaceId)).length >= MOST_PROVIDERS)
        throw new ForbiddenError(`A workspace has at most ${MOST_PROVIDERS} sign-in providers`)
      await insertOwnProvider(tx, organizationId, made)
      await this.#record(tx, caller, 'created', made)
    })
    return made
  }

  /** @throws as `create`, ProviderNotFoundError, ProviderByEnvironmentError */
  async replace(
    caller: Caller,
    id: string,
    { client_secret, ...fields }: ReplaceSignInProvider,
  ): Promise<OwnProviderRecord> {
    const { knownProviders, clock, writes } = this.#options
    requireWhole(caller)
    const box = await knownProviders.box.get()
    return commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'sign-in providers', caller.workspaceId)
      const before = await this.#require(tx, caller, id)
      // A secret that nobody can read must not be sent to another address either.
      if (client_secret === undefined && before.secret !== null && fields.issuer !== before.config.issuer)
        throw invalidField('client_secret', 'must be given again for another issuer, or null')
      const secret = client_secret === undefined ? toProvider(before, box).client_secret : (client_secret ?? undefined)
      const after: OwnProviderRecord = {
        ...before,
        config: toConfig(caller, id, fields, secret),
        secret: secret === undefined ? null : box.seal(secret, sealedFor(before)),
        role: caller.role,
        updatedAt: isoNow(clock),
        version: randomUUID(),
      }
      await updateOwnProvider(tx, caller.organizationId, id, after)
      await this.#record(tx, caller, 'updated', after)
      return after
    })
  }

  /** @throws ProviderNotFoundError, ProviderByEnvironmentError, ForbiddenError */
  async remove(caller: Caller, id: string): Promise<void> {
    requireWhole(caller)
    await commitChecked(this.#options.writes, async (tx) => {
      const removed = await this.#require(tx, caller, id)
      await deleteOwnProvider(tx, caller.organizationId, id)
      await this.#record(tx, caller, 'deleted', removed)
    })
  }

  /** Tries what a sign-in needs of a provider, stored or not. @throws RateLimitedError */
  async test(caller: Caller, { id, ...given }: TestSignInProvider) {
    const { knownProviders, outbound } = this.#options
    requireWhole(caller)
    await this.#limiter.take(caller.workspaceId)
    const stored = id === undefined ? undefined : (await this.list(caller)).find((one) => one.id === id)
    const isSame = stored && stored.config.issuer === given.issuer
    const secret =
      given.client_secret ?? (isSame ? toProvider(stored, await knownProviders.box.get()).client_secret : undefined)
    const client_auth = given.client_auth ?? (secret === undefined ? 'none' : 'client_secret_basic')
    const examined = { ...given, client_secret: secret, client_auth }
    const findings = await examineProvider(outbound, examined, this.redirectUriOf(id ?? 'test'))
    return { is_ok: findings.every(({ is_ok }) => is_ok), findings }
  }

  /** @throws ProviderNotFoundError, ProviderByEnvironmentError, ForbiddenError for one of a higher role */
  async #require(from: Db, caller: Caller, id: string): Promise<OwnProviderRecord> {
    if (this.#fixedIds.has(id)) throw new ProviderByEnvironmentError()
    const all = await listOwnProviders(from, caller.organizationId, caller.workspaceId)
    const found = all.find((one) => one.id === id)
    if (!found) throw new ProviderNotFoundError()
    if (RANK[found.role] > RANK[caller.role])
      throw new ForbiddenError(`This provider was set by an ${found.role}, and only such may change it`)
    return found
  }

  #record(tx: Tx, caller: Caller, what: 'created' | 'updated' | 'deleted', { id, config }: OwnProviderRecord) {
    return recordAudit(tx, caller, {
      action: `sign_in_provider.${what}`,
      at: isoNow(this.#options.clock),
      target: { type: 'sign_in_provider', id, name: config.name },
      details: what === 'deleted' ? {} : detailsOf(config),
    })
  }
}

/** @throws ValidationError, ForbiddenError for a role above the caller's */
function toConfig(
  caller: Caller,
  id: string,
  fields: Omit<CreateSignInProvider, 'id' | 'client_secret'>,
  secret: string | undefined,
): OwnProviderConfig {
  const { data, error } = Provider.safeParse({ ...fields, id, ...(secret !== undefined && { client_secret: secret }) })
  if (!data) throw invalidFields(problemsOf(error))
  const given: Role[] = [data.default_role, ...Object.values(data.roles)]
  const above = given.find((role) => RANK[role] > RANK[caller.role])
  if (above) throw new ForbiddenError(`The role ${caller.role} may not let a provider give the role ${above}`)
  const { id: _id, client_secret: _secret, private_key: _key, workspace_id: _workspace, ...config } = data
  return config
}

/** Fields that the audit log shows. */
const detailsOf = ({ issuer, client_id, domains, makes_accounts, default_role, roles }: OwnProviderConfig) => ({
  issuer,
  client_id,
  domains,
  makes_accounts,
  default_role,
  roles,
})
