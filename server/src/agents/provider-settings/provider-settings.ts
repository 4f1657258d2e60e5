import { invalidField } from '../../platform/errors.ts'
import { type OutboundGuard, refusalOf } from '../../platform/outbound/outbound-guard.ts'
import { hintOf } from '../../platform/secret-box.ts'

/** Settings of a provider as an admin gives them: without a key, the stored one stays. */
interface GivenSettings {
  kind: string
  base_url: string | null
  api_key?: string | null | undefined
}

interface StoredKey {
  /** Sealed. */
  apiKey: string | null
  keyHint: string | null
}

interface StoredSettings extends StoredKey {
  kind: string
  baseUrl: string | null
}

/** Whether a stored key goes where it was given for. */
export const hasSameAddress = ({ kind, base_url }: GivenSettings, before: Omit<StoredSettings, keyof StoredKey>) =>
  before.kind === kind && before.baseUrl === base_url

/** The key as it is stored. @throws ValidationError for one that would go to another address than it was given for */
export function keyToStore(
  fields: GivenSettings,
  before: StoredSettings | undefined,
  seal: (key: string) => string,
): StoredKey {
  const { api_key: key } = fields
  if (key === null || (key === undefined && !before?.apiKey)) return { apiKey: null, keyHint: null }
  if (key !== undefined) return { apiKey: seal(key), keyHint: hintOf(key) }
  if (!hasSameAddress(fields, before!))
    throw invalidField('api_key', 'must be given again for another address, or null')
  return { apiKey: before!.apiKey, keyHint: before!.keyHint }
}

/** @param ownUrl address of the vendor, which is used without another one @throws ValidationError */
export function requireAddress(
  guard: Pick<OutboundGuard, 'parse'>,
  { kind, base_url: baseUrl }: GivenSettings,
  ownUrl: string | null | undefined,
): void {
  if (baseUrl === null) {
    if (!ownUrl) throw invalidField('base_url', `must be given for ${kind}`)
    return
  }
  const refusal = refusalOf(guard, baseUrl)
  if (refusal !== undefined) throw invalidField('base_url', refusal)
}
