import { createOpenAI, type OpenAILanguageModelResponsesOptions } from '@ai-sdk/openai'
import {
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  NoSuchModelError,
  type ProviderV4,
} from '@ai-sdk/provider'

export interface DocentProviderOptions {
  /** URL of the service, for instance `https://docent.example.com`. Default: the environment variable DOCENT_URL. */
  baseUrl?: string
  /** An API key, or a virtual user's token. Default: the environment variable DOCENT_API_KEY. */
  apiKey?: string
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Replaces the platform's own fetch. */
  fetch?: typeof fetch
}

export interface AgentOptions {
  /** Virtual user on whose behalf is asked: an e-mail address. */
  virtualUser?: string
  /** Conversation to continue, as an earlier answer named it; its memory then stands for earlier messages. */
  conversation?: string
}

export interface DocentProvider extends ProviderV4 {
  /** An agent, by its id, or by its name if no other agent has it. */
  (agent: string, options?: AgentOptions): LanguageModelV4
  languageModel(agent: string, options?: AgentOptions): LanguageModelV4
}

/**
 * A provider of the AI SDK whose models are the agents of a Docent server: text, reasoning, the agent's own steps, its
 * citations as sources, and usage.
 */
export function createDocent(options: DocentProviderOptions = {}): DocentProvider {
  const agentOf = (agent: string, { virtualUser, conversation }: AgentOptions = {}) => {
    const own: OpenAILanguageModelResponsesOptions = {
      // The whole conversation is sent with each question, so that nothing is referred to that somebody deleted since.
      store: false,
      // Agents read more than pictures and PDF.
      passThroughUnsupportedFiles: true,
      ...(virtualUser !== undefined && { user: virtualUser }),
      ...(conversation !== undefined && { conversation }),
    }
    return withOptions(clientOf(options).responses(agent), own)
  }
  const none = (modelType: 'embeddingModel' | 'imageModel') => (modelId: string) => {
    throw new NoSuchModelError({ modelId, modelType })
  }
  return Object.assign(agentOf, {
    specificationVersion: 'v4' as const,
    languageModel: agentOf,
    embeddingModel: none('embeddingModel'),
    imageModel: none('imageModel'),
  })
}

/** The provider that the environment names with DOCENT_URL and DOCENT_API_KEY. */
export const docent: DocentProvider = createDocent()

/** A client of the server's OpenAI-compatible API; the environment is read when an agent is first asked for. */
function clientOf({ baseUrl = environment('DOCENT_URL'), apiKey, ...options }: DocentProviderOptions) {
  if (!baseUrl) throw new TypeError('baseUrl is needed: give it to createDocent, or set DOCENT_URL')
  return createOpenAI({
    ...options,
    name: 'docent',
    baseURL: `${new URL(baseUrl).href.replace(/\/+$/, '').replace(/\/v1$/, '')}/openai/v1`,
    apiKey: apiKey ?? environment('DOCENT_API_KEY') ?? '',
  })
}

/** Undefined also where there is no environment, as in browsers. */
const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name]

/** Copy of a model that is asked with options of its own unless a call gives others. */
function withOptions(model: LanguageModelV4, own: OpenAILanguageModelResponsesOptions): LanguageModelV4 {
  const complete = (call: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
    ...call,
    providerOptions: { ...call.providerOptions, openai: { ...own, ...call.providerOptions?.openai } },
  })
  return {
    specificationVersion: 'v4',
    provider: 'docent',
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (call) => model.doGenerate(complete(call)),
    doStream: (call) => model.doStream(complete(call)),
  }
}
