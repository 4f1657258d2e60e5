import type { ModelProviderSettings, PutModelProvider } from '@docent/sdk'
import { PROVIDER_KINDS, type ProviderKind } from './provider-kinds.ts'

/** Form as it is typed. */
export interface ProviderDraft {
  kind: ProviderKind
  /** Null as long as it follows the kind. */
  name: string | null
  address: string
  key: string
}

export const NEW_PROVIDER: ProviderDraft = { kind: 'openai', name: null, address: '', key: '' }

export const draftOf = ({ kind, name, base_url }: ModelProviderSettings): ProviderDraft => ({
  kind,
  name,
  address: base_url ?? '',
  key: '',
})

/** Name that the ids of its models begin with. @param taken names of others */
export function nameOf({ name, kind }: ProviderDraft, taken: string[]): string {
  if (name !== null) return name
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? kind : `${kind}-${number}`
    if (!taken.includes(free)) return free
  }
}

/** Settings as the API takes them; an empty key is left out, so that a stored one stays. */
export const toFields = ({ kind, address, key }: ProviderDraft): PutModelProvider => ({
  kind,
  base_url: address.trim() || null,
  ...(key.trim() && { api_key: key.trim() }),
})

/** Whether there is enough to ask the provider. */
export const isComplete = ({ kind, address, key }: ProviderDraft, hasKey: boolean): boolean =>
  (address.trim() !== '' || !PROVIDER_KINDS[kind].needsAddress) &&
  (key.trim() !== '' || hasKey || !PROVIDER_KINDS[kind].needsKey || address.trim() !== '')
