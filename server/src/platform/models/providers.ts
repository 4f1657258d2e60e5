import type { OutboundGuard } from '../outbound/outbound-guard.ts'
import { ModelNotAvailableError } from './failures/model.errors.ts'
import { type ModelProvider, PROVIDER_KINDS, type ProviderKind } from './model-provider.ts'
import type { ModelsConfig } from './models.config.ts'

/** `openai/gpt-4.1` to its two halves; the model's name may hold slashes itself. */
export function splitModelId(id: string): { providerId: string; model: string } {
  const at = id.indexOf('/')
  if (at <= 0 || at === id.length - 1) {
    throw new ModelNotAvailableError(`"${id}" is not of the form provider/model, such as builtin/extractive`)
  }
  return { providerId: id.slice(0, at), model: id.slice(at + 1) }
}

/** Whether the environment sets this provider up. */
export const isSetUp = (config: ModelsConfig, providerId: string): boolean =>
  isProviderKind(providerId) && !describe[providerId](config).missing

/** @throws ModelNotAvailableError that names the setting, for an unknown provider and one that is not set up. */
export function getProvider(
  config: ModelsConfig,
  providerId: string,
  own: readonly ModelProvider[] = [],
): ModelProvider {
  const found = isSetUp(config, providerId) ? undefined : own.find(({ id }) => id === providerId)
  if (found) return found
  if (!isProviderKind(providerId)) {
    throw new ModelNotAvailableError(
      `There is no model provider "${providerId}". There are ${[...PROVIDER_KINDS, ...own.map(({ id }) => id)].join(', ')} and builtin`,
    )
  }
  const provider = describe[providerId](config)
  if (provider.missing) {
    throw new ModelNotAvailableError(`The model provider "${providerId}" is not set up: set ${provider.missing}`)
  }
  return provider
}

/** All of them, with the setting that is missing where one is not set up. */
export const listProviders = (config: ModelsConfig): { id: string; name: string; missing: string | null }[] =>
  PROVIDER_KINDS.map((id) => {
    const { label, missing } = describe[id](config)
    return { id, name: label.replace(/^The /, ''), missing: missing || null }
  })

interface Named {
  name: string
  kind: ProviderKind
}

interface OwnProviderSettings extends Named {
  baseUrl: string | null
  apiKey: string | undefined
  version: string
  guard: OutboundGuard
}

const OWN_PLACE = 'Settings → Models'

/** A provider that a workspace set up. */
export function ownProvider({ name, kind, baseUrl, apiKey, version, guard }: OwnProviderSettings): ModelProvider {
  const address = kind === 'ollama' ? ollamaUrl(baseUrl ?? '') : (baseUrl ?? OWN_URLS[kind] ?? '')
  return {
    id: name,
    kind,
    label: isVendor({ name, kind }) ? VENDORS[kind] : `The model provider "${name}"`,
    baseUrl: address,
    apiKey,
    keySetting: OWN_PLACE,
    urlSetting: `its address in ${OWN_PLACE}`,
    version,
    guard,
  }
}

const isVendor = ({ name, kind }: Named): boolean => name === kind && kind !== 'openai-compatible'

/** Provider of a workspace as lists show it. */
export const labelOf = (provider: Named): string => (isVendor(provider) ? VENDORS[provider.kind] : provider.name)

/** Name of a kind of provider, as people know it. */
const VENDORS: Record<ProviderKind, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible',
}

/** Addresses of vendors; kinds without one need theirs to be given. */
export const OWN_URLS: { openai: string; anthropic: string; google: string } & Partial<Record<ProviderKind, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

const ollamaUrl = (baseUrl: string): string => `${baseUrl.replace(/(\/v1|\/api)?\/*$/, '')}/v1`

export function isProviderKind(id: string): id is ProviderKind {
  return (PROVIDER_KINDS as readonly string[]).includes(id)
}

type Described = ModelProvider & { missing?: string | false }

const describe: Record<ProviderKind, (config: ModelsConfig) => Described> = {
  openai: ({ openai }) => ({
    id: 'openai',
    kind: 'openai',
    label: 'OpenAI',
    baseUrl: openai?.baseUrl ?? OWN_URLS.openai,
    apiKey: openai?.apiKey,
    keySetting: 'OPENAI_API_KEY',
    urlSetting: 'OPENAI_BASE_URL',
    missing: !openai?.apiKey && 'OPENAI_API_KEY',
  }),
  anthropic: ({ anthropic }) => ({
    id: 'anthropic',
    kind: 'anthropic',
    label: 'Anthropic',
    baseUrl: anthropic?.baseUrl ?? OWN_URLS.anthropic,
    apiKey: anthropic?.apiKey,
    keySetting: 'ANTHROPIC_API_KEY',
    urlSetting: 'ANTHROPIC_BASE_URL',
    missing: !anthropic?.apiKey && 'ANTHROPIC_API_KEY',
  }),
  google: ({ google }) => ({
    id: 'google',
    kind: 'google',
    label: 'Google',
    baseUrl: google?.baseUrl ?? OWN_URLS.google,
    apiKey: google?.apiKey,
    keySetting: 'GOOGLE_GENERATIVE_AI_API_KEY',
    urlSetting: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    missing: !google?.apiKey && 'GOOGLE_GENERATIVE_AI_API_KEY',
  }),
  ollama: ({ ollama }) => ({
    id: 'ollama',
    kind: 'ollama',
    label: 'Ollama',
    baseUrl: ollamaUrl(ollama?.baseUrl ?? ''),
    urlSetting: 'OLLAMA_BASE_URL',
    missing: !ollama?.baseUrl && 'OLLAMA_BASE_URL',
  }),
  'openai-compatible': ({ openaiCompatible }) => ({
    id: 'openai-compatible',
    kind: 'openai-compatible',
    label: 'The OpenAI-compatible server',
    baseUrl: openaiCompatible?.baseUrl ?? '',
    apiKey: openaiCompatible?.apiKey,
    keySetting: 'OPENAI_COMPATIBLE_API_KEY',
    urlSetting: 'OPENAI_COMPATIBLE_BASE_URL',
    missing: !openaiCompatible?.baseUrl && 'OPENAI_COMPATIBLE_BASE_URL',
  }),
}
