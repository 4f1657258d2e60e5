import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'
import { OAuthError } from '../apps.errors.ts'
import type { Audience } from '../scopes.ts'
import { createClientDocuments } from './client-documents.ts'
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts'
import { type ClientRecord, findClient, insertClient } from './clients.store.ts'
import { isRegistered } from './redirect-uris.ts'

/** Client of the command line, which every server knows. */
export const CLI_CLIENT = 'docent-cli'

/** Program that asks people to act for them. */
export interface AppClient extends ClientMetadata {
  id: string
  audience: Audience
}

const CLI: AppClient = {
  id: CLI_CLIENT,
  name: 'Docent CLI',
  redirectUris: ['http://127.0.0.1/callback'],
  uri: null,
  audience: 'api',
}

export interface ClientsOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'outbound' | 'writes'> {
  createLimiter: CreateLimiter
}

export type Clients = ReturnType<typeof createClients>

/** Programs that may ask people to act for them: all of them are public, and prove themselves by PKCE. */
export function createClients({ db, writes, newId, clock, outbound, createLimiter }: ClientsOptions) {
  const registrations = createLimiter('oauth clients', { perSecond: 10 / 60, burst: 30, isExact: true }, 'This address')
  const documents = createClientDocuments({ outbound, clock, createLimiter })

  /** Makes a client of what registers itself (RFC 7591). @throws OAuthError, RateLimitedError */
  async function register(metadata: unknown, address: string): Promise<ClientRecord> {
    const client = readClientMetadata(metadata)
    await registrations.take(networkOf(address))
    const record = { id: `dcc_${newId()}`, ...client, createdAt: isoNow(clock) }
    await writes.commit((tx) => insertClient(tx, record))
    return record
  }

  /** Client with this id, which may be the address of its own description. @throws OAuthError */
  async function get(id: string): Promise<AppClient> {
    if (id === CLI_CLIENT) return CLI
    if (id.startsWith('https://')) return { id, audience: 'mcp', ...(await documents.get(id)) }
    const known = await findClient(db, id)
    if (!known)
      throw new OAuthError('invalid_client', 'No app is registered here with this client_id: connect it once more')
    return { id, audience: 'mcp', name: known.name, redirectUris: known.redirectUris, uri: known.uri }
  }

  /** Client that may send the browser to this address. @throws OAuthError */
  async function getFor(id: string, redirectUri: string): Promise<AppClient> {
    const client = await get(id)
    if (!isRegistered(client.redirectUris, redirectUri))
      throw new OAuthError('invalid_request', 'The redirect_uri is not one that the app registered')
    return client
  }

  /** Part of the server that a client's tokens are for. */
  const audienceOf = (id: string): Audience => (id === CLI_CLIENT ? CLI.audience : 'mcp')

  return { register, get, getFor, audienceOf }
}
