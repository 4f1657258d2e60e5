import { lazy } from '../platform/concurrency/lazy.ts'
import { createSecretBox } from '../platform/secret-box.ts'
import type { SourceConfig, SourceKind } from './source.ts'

/** Integration whose configuration it is. */
interface Owner {
  id: string
  organization_id: string
}

/** Turns configurations into stored text and back: secrets lie sealed in the database. */
export function createSealedConfigs(getSecret: (use: 'secrets') => Promise<string>) {
  const box = lazy(async () => createSecretBox(await getSecret('secrets'), 'integrations'))
  const contextOf = ({ id, organization_id }: Owner, field: string) => `${organization_id} ${id} ${field}`

  return {
    async seal(kind: SourceKind, owner: Owner, config: SourceConfig): Promise<string> {
      const { seal } = await box.get()
      const sealed = Object.entries(config).map(([field, value]) => [
        field,
        kind.secrets.includes(field) && typeof value === 'string' ? seal(value, contextOf(owner, field)) : value,
      ])
      return JSON.stringify(Object.fromEntries(sealed))
    },

    async open(kind: SourceKind, owner: Owner & { config: string }): Promise<SourceConfig> {
      const { open } = await box.get()
      const opened = Object.entries(JSON.parse(owner.config)).map(([field, value]) => [
        field,
        kind.secrets.includes(field) && typeof value === 'string' ? open(value, contextOf(owner, field)) : value,
      ])
      return Object.fromEntries(opened)
    },
  }
}

export type SealedConfigs = ReturnType<typeof createSealedConfigs>
