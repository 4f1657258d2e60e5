import type { KernelParts } from '../../kernel-parts.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { OAuthError } from '../apps.errors.ts'
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts'

const FRESH_MS = 300_000
const LARGEST = 10_240
const TIMEOUT_MS = 5_000

export interface ClientDocumentsOptions extends Pick<KernelParts, 'clock' | 'outbound'> {
  createLimiter: CreateLimiter
}

/** Descriptions of clients at the address that is their id (OAuth Client ID Metadata Document). */
export function createClientDocuments({ outbound, clock, createLimiter }: ClientDocumentsOptions) {
  const known = createLruCache<{ metadata: ClientMetadata; until: number }>(1_000)
  const fetches = createLimiter('oauth client documents', { perSecond: 1, burst: 30, isExact: true }, 'This server')

  async function read(id: string): Promise<ClientMetadata> {
    const reply = await outbound
      .request(id, { headers: { accept: 'application/json' }, timeoutMs: TIMEOUT_MS, maxReplyBytes: LARGEST })
      .catch(() => undefined)
    if (!reply) throw refused('there is no answer from its address')
    const parts: Buffer[] = []
    try {
      for await (const part of reply.body) parts.push(part)
    } catch {
      throw refused('the answer of its address broke off')
    } finally {
      reply.close()
    }
    if (reply.status !== 200) throw refused(`its address answers with ${reply.status}`)
    if (reply.isCut) throw refused('it is too long')
    const document = parse(Buffer.concat(parts).toString())
    if (document?.client_id !== id) throw refused('it names another client_id')
    return readClientMetadata(document)
  }

  return {
    /** Description at this address, cached for some minutes. @throws OAuthError, RateLimitedError */
    async get(id: string): Promise<ClientMetadata> {
      const url = URL.parse(id)
      if (!url || url.href !== id || url.pathname === '/' || url.hash || url.username)
        throw refused('its address must be complete, with a path and without a fragment')
      const now = clock().getTime()
      const found = known.get(id)
      if (found && found.until > now) return found.metadata
      await fetches.take('all')
      const metadata = await read(id)
      known.set(id, { metadata, until: now + FRESH_MS })
      return metadata
    },
  }
}

const refused = (why: string) => new OAuthError('invalid_client', `The description of the app cannot be used: ${why}`)

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}
