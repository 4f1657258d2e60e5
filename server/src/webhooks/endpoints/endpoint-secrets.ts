import { lazy } from '../../platform/concurrency/lazy.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import type { EndpointRecord } from './endpoints.store.ts'

export type EndpointSecrets = ReturnType<typeof createEndpointSecrets>

/** Seals the secrets of endpoints for the database, and opens them for a signature. */
export function createEndpointSecrets(secretOf: (use: 'secrets') => Promise<string>) {
  const box = lazy(async () => createSecretBox(await secretOf('secrets'), 'webhook endpoints'))
  const contextOf = ({ id, organizationId }: Pick<EndpointRecord, 'id' | 'organizationId'>) => `${organizationId} ${id}`

  return {
    async seal(endpoint: Pick<EndpointRecord, 'id' | 'organizationId'>, secret: string): Promise<string> {
      return (await box.get()).seal(secret, contextOf(endpoint))
    },

    /** Secrets that sign at this time, the current one first. */
    async open(endpoint: EndpointRecord, now: string): Promise<string[]> {
      const { secret, oldSecret, oldSecretUntil } = endpoint
      const isOldValid = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now
      const { open } = await box.get()
      return [secret, ...(isOldValid ? [oldSecret] : [])].map((sealed) => open(sealed, contextOf(endpoint)))
    },
  }
}
