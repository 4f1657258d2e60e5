import { ModelNotAvailableError } from './failures/model.errors.ts'
import type { ModelProvider } from './model-provider.ts'
import type { ModelsConfig } from './models.config.ts'

/** Providers over the network, in the order in which a key makes one the default. */
const PROVIDER_IDS = ['openai', 'anthropic', 'google', 'ollama', 'openai-compatible'] as const
type ProviderId = (typeof PROVIDER_IDS)[number]

/** `openai/gpt-4.1` to its two halves; the model's name may hold slashes itself. */
export function splitModelId(id: string): { providerId: string; model: string } {
  const at = id.indexOf('/')
  if (at <= 0 || at === id.length - 1) {
    throw new ModelNotAvailableError(`"${id}" is not of the form provider/model, such as builtin/extractive`)
  }
  return { providerId: id.slice(0, at), model: id.slice(at + 1) }
}

/** @throws ModelNotAvailableError that names the setting, for an unknown provider and one that is not set up. */
export function getProvider(config: ModelsConfig, providerId: string): ModelProvider {
  if (!isProviderId(providerId)) {
    throw new ModelNotAvailableError(
      `There is no model provider "${providerId}". There are ${PROVIDER_IDS.join(', ')} and builtin`,
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
  PROVIDER_IDS.map((id) => {
    const { label, missing } = describe[id](config)
    return { id, name: label.replace(/^The /, ''), missing: missing || null }
  })

function isProviderId(id: string): id is ProviderId {
  return (PROVIDER_IDS as readonly string[]).includes(id)
}

type Described = ModelProvider & { missing?: string | false }

const describe: Record<ProviderId, (config: ModelsConfig) => Described> = {
  openai: ({ openai }) => ({
    id: 'openai',
    label: 'OpenAI',
    baseUrl: openai?.baseUrl ?? 'https://api.openai.com/v1',
    apiKey: openai?.apiKey,
    keySetting: 'OPENAI_API_KEY',
    urlSetting: 'OPENAI_BASE_URL',
    missing: !openai?.apiKey && 'OPENAI_API_KEY',
  }),
  anthropic: ({ anthropic }) => ({
    id: 'anthropic',
    label: 'Anthropic',
    baseUrl: anthropic?.baseUrl ?? 'https://api.anthropic.com/v1',
    apiKey: anthropic?.apiKey,
    keySetting: 'ANTHROPIC_API_KEY',
    urlSetting: 'ANTHROPIC_BASE_URL',
    missing: !anthropic?.apiKey && 'ANTHROPIC_API_KEY',
  }),
  google: ({ google }) => ({
    id: 'google',
    label: 'Google',
    baseUrl: google?.baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta',
    apiKey: google?.apiKey,
    keySetting: 'GOOGLE_GENERATIVE_AI_API_KEY',
    urlSetting: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    missing: !google?.apiKey && 'GOOGLE_GENERATIVE_AI_API_KEY',
  }),
  ollama: ({ ollama }) => ({
    id: 'ollama',
    label: 'Ollama',
    baseUrl: `${(ollama?.baseUrl ?? '').replace(/(\/v1|\/api)?\/*$/, '')}/v1`,
    urlSetting: 'OLLAMA_BASE_URL',
    missing: !ollama?.baseUrl && 'OLLAMA_BASE_URL',
  }),
  'openai-compatible': ({ openaiCompatible }) => ({
    id: 'openai-compatible',
    label: 'The OpenAI-compatible server',
    baseUrl: openaiCompatible?.baseUrl ?? '',
    apiKey: openaiCompatible?.apiKey,
    keySetting: 'OPENAI_COMPATIBLE_API_KEY',
    urlSetting: 'OPENAI_COMPATIBLE_BASE_URL',
    missing: !openaiCompatible?.baseUrl && 'OPENAI_COMPATIBLE_BASE_URL',
  }),
}
