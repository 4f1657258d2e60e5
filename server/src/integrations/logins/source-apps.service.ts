import { hash } from 'node:crypto'
import { type Caller, requireWholeKey } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { refusalOf } from '../../platform/outbound/outbound-guard.ts'
import { createSecretBox, hintOf } from '../../platform/secret-box.ts'
import type { SourceApp, SourceProvider } from '../../platform/source-apps.ts'
import { SourceAppNotFoundError } from '../integrations.errors.ts'
import type { PutSourceApp } from './source-apps.schemas.ts'
import {
  deleteSourceApp,
  findSourceApp,
  listSourceApps,
  putSourceApp,
  type SourceAppRecord,
} from './source-apps.store.ts'

interface SourceAppsOptions extends Pick<KernelParts, 'clock' | 'db' | 'outbound' | 'writes'> {
  /** Apps of the environment. */
  apps: SourceApp[]
  getSecret: (use: 'secrets') => Promise<string>
}

/** Workspace whose app a login was made with, and which one that was; null: one of the environment. */
export interface AppOfLogin {
  appWorkspaceId: string | null
  appHash: string | null
}

type Workspace = Pick<Caller, 'organizationId' | 'workspaceId'>

/** Apps at providers of documents: those of the environment, and those that admins of a workspace registered. */
export class SourceApps {
  readonly #options: SourceAppsOptions
  readonly #box

  constructor(options: SourceAppsOptions) {
    this.#options = options
    this.#box = lazy(async () => createSecretBox(await options.getSecret('secrets'), 'source apps'))
  }

  /** Apps of the environment, which take precedence. */
  get fixed(): readonly SourceApp[] {
    return this.#options.apps
  }

  /** Apps of the workspace for providers that the environment has none for. */
  async list({ organizationId, workspaceId }: Workspace): Promise<SourceAppRecord[]> {
    const own = await listSourceApps(this.#options.db, organizationId, workspaceId)
    return own.filter(({ provider }) => !this.#fixedOf(provider))
  }

  /** App with which people of a workspace log in at a provider. */
  async find(
    { organizationId, workspaceId }: Workspace,
    provider: SourceProvider,
  ): Promise<(AppOfLogin & { app: SourceApp }) | undefined> {
    const fixed = this.#fixedOf(provider)
    if (fixed) return { app: fixed, appWorkspaceId: null, appHash: null }
    const record = await findSourceApp(this.#options.db, organizationId, { workspaceId, provider })
    return record && { app: await this.#opened(record), appWorkspaceId: workspaceId, appHash: hashOf(record) }
  }

  /** App that a login was made with, as long as it is the same: its tokens are for no other. */
  async ofLogin(
    organizationId: string,
    { provider, appWorkspaceId, appHash }: AppOfLogin & { provider: SourceProvider },
  ): Promise<SourceApp | undefined> {
    if (appWorkspaceId === null) return this.#fixedOf(provider)
    const record = await findSourceApp(this.#options.db, organizationId, { workspaceId: appWorkspaceId, provider })
    return record && hashOf(record) === appHash ? this.#opened(record) : undefined
  }

  /** @throws ValidationError, ForbiddenError */
  async put(caller: Caller, provider: SourceProvider, fields: PutSourceApp): Promise<SourceAppRecord> {
    requireWholeKey(caller, 'manage apps at providers of documents')
    this.#requireUsable(provider, fields)
    const { organizationId, workspaceId } = caller
    const box = await this.#box.get()
    return commitChecked(this.#options.writes, async (tx) => {
      await takeAdvisoryLock(tx, 'source apps', workspaceId)
      const before = await findSourceApp(tx, organizationId, { workspaceId, provider })
      const at = isoNow(this.#options.clock)
      const given = {
        clientId: fields.client_id,
        tenant: fields.tenant,
        authorizeUrl: fields.authorize_url,
        tokenUrl: fields.token_url,
      }
      const record = {
        organizationId,
        workspaceId,
        provider,
        ...given,
        ...secretToStore(fields.client_secret, given, before, (secret) =>
          box.seal(secret, contextOf({ workspaceId, provider })),
        ),
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
      }
      await putSourceApp(tx, organizationId, record)
      await this.#recordChange(tx, caller, { provider, client_id: record.clientId })
      return record
    })
  }

  /** Folders that were linked with it keep their files, and ask for a new login. @throws SourceAppNotFoundError */
  async remove(caller: Caller, provider: SourceProvider): Promise<void> {
    requireWholeKey(caller, 'manage apps at providers of documents')
    const { organizationId, workspaceId } = caller
    await commitChecked(this.#options.writes, async (tx) => {
      if (!(await deleteSourceApp(tx, organizationId, { workspaceId, provider }))) throw new SourceAppNotFoundError()
      await this.#recordChange(tx, caller, { provider, client_id: null })
    })
  }

  #fixedOf(provider: SourceProvider): SourceApp | undefined {
    return this.#options.apps.find((app) => app.provider === provider)
  }

  #requireUsable(provider: SourceProvider, { tenant, authorize_url, token_url }: PutSourceApp): void {
    if (this.#fixedOf(provider))
      throw invalidField('provider', 'is set by the environment of the server (DOCENT_SOURCE_APPS)')
    if (tenant !== null && provider !== 'microsoft') throw invalidField('tenant', 'is only of microsoft')
    for (const [field, url] of Object.entries({ authorize_url, token_url })) {
      const refusal = url === null ? undefined : refusalOf(this.#options.outbound, url)
      if (refusal !== undefined) throw invalidField(field, refusal)
    }
  }

  async #opened(record: SourceAppRecord): Promise<SourceApp> {
    const { open } = await this.#box.get()
    const { provider, clientId, clientSecret, tenant, authorizeUrl, tokenUrl } = record
    return {
      provider,
      client_id: clientId,
      client_secret: open(clientSecret, contextOf(record)),
      ...(tenant !== null && { tenant }),
      ...(authorizeUrl !== null && { authorize_url: authorizeUrl }),
      ...(tokenUrl !== null && { token_url: tokenUrl }),
    }
  }

  #recordChange(tx: Tx, caller: Caller, details: Record<string, string | null>) {
    const target = { type: 'workspace', id: caller.workspaceId } as const
    const at = isoNow(this.#options.clock)
    return recordAudit(tx, caller, { action: 'workspace.source_app_changed', at, target, details })
  }
}

type Identity = Pick<SourceAppRecord, 'clientId' | 'tenant' | 'tokenUrl'>

/** The secret as it is stored. @throws ValidationError for one that would go elsewhere than it was given for */
function secretToStore(
  secret: string | undefined,
  given: Identity,
  before: SourceAppRecord | undefined,
  seal: (secret: string) => string,
): Pick<SourceAppRecord, 'clientSecret' | 'secretHint'> {
  if (secret !== undefined) return { clientSecret: seal(secret), secretHint: hintOf(secret) }
  if (!before) throw invalidField('client_secret', 'must be given')
  if (hashOf(given) !== hashOf(before)) throw invalidField('client_secret', 'must be given again for another app')
  return { clientSecret: before.clientSecret, secretHint: before.secretHint }
}

/** Tells apps apart that do not know each other's tokens. */
const hashOf = ({ clientId, tenant, tokenUrl }: Identity): string =>
  hash('sha256', JSON.stringify([clientId, tenant, tokenUrl]), 'base64url')

const contextOf = ({ workspaceId, provider }: Pick<SourceAppRecord, 'workspaceId' | 'provider'>): string =>
  `${workspaceId} ${provider}`
