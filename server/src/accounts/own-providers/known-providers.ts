import { LRUCache } from 'lru-cache'
import { listOrganizationNames, type Role } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { createSecretBox, type SecretBox } from '../../platform/secret-box.ts'
import type { SignInProvider } from '../../platform/sign-in-providers.ts'
import { OpenIdClient } from '../providers/openid.ts'
import { findOwnProvider, listAllOwnProviders, type OwnProviderRecord } from './own-providers.store.ts'

const MOST_CLIENTS = 200

/** A provider with what it may do: one of the environment, which an operator set, is not bounded. */
export interface KnownProvider {
  provider: SignInProvider
  owner?: { organizationId: string; workspaceId: string; role: Role }
  client: OpenIdClient
}

export interface KnownProvidersOptions extends Pick<KernelParts, 'clock' | 'db' | 'outbound'> {
  config: { signInProviders: SignInProvider[] }
  getSecret(use: 'secrets'): Promise<string>
}

export type KnownProviders = ReturnType<typeof createKnownProviders>

/**
 * Providers of the environment and of the workspaces. Those of workspaces are read each time, so that a change counts in
 * every process at once; one of the environment hides another with its id.
 */
export function createKnownProviders({ db, clock, outbound, config, getSecret }: KnownProvidersOptions) {
  const box = lazy(async () => createSecretBox(await getSecret('secrets'), 'sign-in providers'))
  const clientOf = (provider: SignInProvider) => new OpenIdClient({ provider, outbound, clock })
  const fixed = new Map<string, KnownProvider>(
    config.signInProviders.map((provider) => [provider.id, { provider, client: clientOf(provider) }]),
  )
  /** Clients by id and version of the provider: what a client caches of its provider holds until the provider is changed. */
  const clients = new LRUCache<string, OpenIdClient>({ max: MOST_CLIENTS })

  function toKnown(record: OwnProviderRecord, secrets: SecretBox): KnownProvider {
    const { id, version, organizationId, workspaceId, role } = record
    const provider = toProvider(record, secrets)
    const key = `${id} ${version}`
    const client = clients.get(key) ?? clientOf(provider)
    clients.set(key, client)
    return { provider, owner: { organizationId, workspaceId, role }, client }
  }

  return {
    box,
    fixed: [...fixed.values()].map(({ provider }) => provider),

    async find(id: string): Promise<KnownProvider | undefined> {
      const known = fixed.get(id)
      if (known) return known
      const record = await findOwnProvider(db, id)
      return record && toKnown(record, await box.get())
    },

    /** Names for the sign-in page; with several organizations they include the organization's name. */
    async names(): Promise<{ id: string; name: string }[]> {
      const own = (await listAllOwnProviders(db)).filter(({ id }) => !fixed.has(id))
      const organizations = own.length > 0 ? await listOrganizationNames(db) : new Map<string, string>()
      const shown = own.map(({ id, config: { name }, organizationId }) => {
        const organization = organizations.get(organizationId)
        return { id, name: organization ? `${name} (${organization})` : name }
      })
      return [...[...fixed.values()].map(({ provider: { id, name } }) => ({ id, name })), ...shown]
    },
  }
}

/** Context that a secret is sealed for. */
export const sealedFor = ({ id, organizationId }: Pick<OwnProviderRecord, 'id' | 'organizationId'>): string =>
  `${organizationId} ${id}`

export const toProvider = (record: OwnProviderRecord, secrets: SecretBox): SignInProvider => ({
  ...record.config,
  id: record.id,
  workspace_id: record.workspaceId,
  ...(record.secret !== null && { client_secret: secrets.open(record.secret, sealedFor(record)) }),
})
