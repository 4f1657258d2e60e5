import type { EmbeddingModelV4, LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ModelProvider } from '../model-provider.ts'
import { createFetch } from './ai-sdk.fetch.ts'

export type AiSdkApi = 'anthropic-messages' | 'google-generate' | 'openai-responses'

/** Needs of one vendor's API beyond the common interface. */
export interface AiSdkVendor {
  model: LanguageModelV4
  /** Key of the vendor's metadata, in both directions. */
  metadataName: string
  providerOptions?: SharedV4ProviderOptions
  /** Options for accounts or models that may not have reasoning summaries. */
  optionsWithoutSummaries?: SharedV4ProviderOptions
  /** Options for the messages up to which the vendor shall cache the prompt. */
  cacheOptions?: SharedV4ProviderOptions
}

/** Loads a vendor's package, which takes tens of milliseconds: only when its first request is made. */
export async function loadVendor(api: AiSdkApi, provider: ModelProvider, model: string): Promise<AiSdkVendor> {
  const settings = settingsOf(provider)
  if (api === 'anthropic-messages') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return {
      model: createAnthropic(settings)(model),
      metadataName: 'anthropic',
      // From Claude 5 on models think unasked, and are silent meanwhile unless their thoughts are asked for.
      ...(/claude-[a-z]+-([5-9]|\d\d)\b/.test(model) && {
        providerOptions: { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } },
      }),
      cacheOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    }
  }
  if (api === 'google-generate') {
    const { createGoogle } = await import('@ai-sdk/google')
    return {
      model: createGoogle(settings)(model),
      metadataName: 'google',
      // Models before 2.5 refuse the option, and so do those that draw or speak.
      ...(/^gemini-(2\.5|[3-9]|\d\d|flash|pro)/.test(model) &&
        !/image|tts|audio|live|transcribe/.test(model) && {
          providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
        }),
    }
  }
  const { createOpenAI } = await import('@ai-sdk/openai')
  return {
    model: createOpenAI(settings).responses(model),
    metadataName: 'openai',
    // Nothing stays with the provider: reasoning comes back encrypted and is sent again. Without summaries a model that
    // thinks for long would be silent meanwhile.
    providerOptions: { openai: { store: false, reasoningSummary: 'auto' } },
    optionsWithoutSummaries: { openai: { store: false } },
  }
}

/** Google's embedding models; the package is loaded with the first request. */
export async function loadGoogleEmbedding(provider: ModelProvider, model: string): Promise<EmbeddingModelV4> {
  const { createGoogle } = await import('@ai-sdk/google')
  return createGoogle(settingsOf(provider)).embedding(model)
}

function settingsOf(provider: ModelProvider) {
  return { baseURL: provider.baseUrl, apiKey: provider.apiKey, fetch: createFetch(provider) }
}
