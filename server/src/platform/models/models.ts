import type { Logger } from '../telemetry/logger.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { createAiSdkClient } from './ai-sdk/ai-sdk.ts'
import { createChatCompletionsClient } from './chat-completions/chat-completions.ts'
import { contextWindowOf } from './context-windows.ts'
import { ModelNotAvailableError } from './failures/model.errors.ts'
import { createMeter } from './metered.ts'
import type { LanguageModel } from './model.ts'
import { DEFAULT_SEEING, parseModelPatterns } from './model-patterns.ts'
import type { ModelClient, ModelProvider } from './model-provider.ts'
import type { ModelsConfig } from './models.config.ts'
import { createOfferedModels, findOffered, type Offered } from './offered/offered-models.ts'
import { getProvider, listProviders, splitModelId } from './providers.ts'
import { withLimits } from './with-limits.ts'

export type Models = ReturnType<typeof createModels>

/** Default model of a provider whose key alone is set: the middle of the vendor's range. */
const DEFAULT_MODELS = [
  ['openai', 'openai/gpt-6-sol'],
  ['anthropic', 'anthropic/claude-sonnet-5-5'],
  ['google', 'google/gemini-3.8-flash'],
] as const

const seesByDefault = parseModelPatterns(DEFAULT_SEEING)

const OFFLINE_MODEL = 'builtin/extractive'

/**
 * The models of this server by their ids.
 * @param builtin models that run in this process, by the name after `builtin/`
 * @param metrics where their replies are counted
 * @param logger gets what a provider said of a failure
 */
export function createModels(
  config: ModelsConfig,
  {
    builtin,
    metrics = createMetrics(),
    logger,
  }: { builtin: Record<string, LanguageModel>; metrics?: Metrics; logger?: Logger },
) {
  const metered = createMeter(metrics, logger)
  const offeredBy = createOfferedModels()
  const resolved = new Map<string, LanguageModel>()

  /** @throws ModelNotAvailableError that says which setting is missing, or that there is no such provider. */
  function resolve(id: string): LanguageModel {
    const known = resolved.get(id)
    if (known) return known
    const model = metered(find(id))
    resolved.set(id, model)
    return model
  }

  function find(id: string): LanguageModel {
    const { providerId, model: name } = splitModelId(id)
    if (providerId === 'builtin') {
      const found = Object.hasOwn(builtin, name) ? builtin[name] : undefined
      if (found) return found
      throw new ModelNotAvailableError(`There is no model "${id}": builtin has ${Object.keys(builtin).join(', ')}`)
    }
    const provider = getProvider(config, providerId)
    const contextTokens = contextWindowOf(name, config.contextTokens)
    const client = createClient(config, { id, provider, model: name, contextTokens })
    const model = withLimits(client, { provider, limits: config.timeouts })
    const seesPictures = (config.seesPictures ?? seesByDefault)(id)
    if (config.seesPictures) return { ...model, seesPictures }
    const askSight = async () => findOffered(await offeredBy(provider), name)?.seesPictures ?? seesPictures
    return { ...model, seesPictures, askSight }
  }

  return {
    resolve,

    /** The model of agents that name none. Whether it can be used shows when it is resolved. */
    get defaultModelId(): string {
      return config.default ?? DEFAULT_MODELS.find(([provider]) => config[provider]?.apiKey)?.[1] ?? OFFLINE_MODEL
    },

    /** Providers of models; `missing` names the setting without which one cannot be used. */
    providers: (): { id: string; name: string; missing: string | null }[] => [
      ...listProviders(config),
      { id: 'builtin', name: 'Built in', missing: null },
    ],

    /** Models that a provider says it has; of one over the network that is set up. */
    offered: async (providerId: string): Promise<Offered> => {
      if (providerId !== 'builtin') return offeredBy(getProvider(config, providerId))
      const own = Object.entries(builtin)
      const models = own.map(([name, { contextTokens }]) => ({ name, contextTokens, takesTools: false }))
      return { models, problem: null }
    },

    /** Models that are worth a try, of providers that are set up. */
    suggestions: (): string[] => [
      ...DEFAULT_MODELS.filter(([provider]) => config[provider]?.apiKey).map(([, model]) => model),
      ...Object.keys(builtin).map((name) => `builtin/${name}`),
    ],

    /** Window of a model and whether pictures go along with questions; undefined for one that cannot be used. */
    async findAbilities(id: string): Promise<{ contextTokens: number; seesPictures: boolean } | undefined> {
      try {
        const { contextTokens, seesPictures = false, askSight } = find(id)
        return { contextTokens, seesPictures: (await askSight?.()) ?? seesPictures }
      } catch (error) {
        if (error instanceof ModelNotAvailableError) return undefined
        throw error
      }
    },

    /** Whether a model writes texts of its own; one that cannot be used might. */
    canConverse(id: string): boolean {
      try {
        return !find(id).onlyQuotes
      } catch {
        return true
      }
    },

    /** Why an agent could not use this model, as a sentence; `undefined` when it could. Asks no provider. */
    problemWith(id: string): string | undefined {
      try {
        find(id)
        return undefined
      } catch (error) {
        if (error instanceof ModelNotAvailableError) return error.message
        throw error
      }
    },
  }
}

function createClient(
  config: ModelsConfig,
  options: { id: string; provider: ModelProvider; model: string; contextTokens: number },
): ModelClient {
  const { provider, model } = options
  if (provider.id === 'anthropic') return createAiSdkClient({ ...options, api: 'anthropic-messages' })
  if (provider.id === 'google') return createAiSdkClient({ ...options, api: 'google-generate' })
  if (provider.id === 'openai' && isReasoningModel(model) && servesResponses(config, provider)) {
    return createAiSdkClient({ ...options, api: 'openai-responses' })
  }
  return createChatCompletionsClient(options)
}

/** OpenAI serves tools to models that reason only through its Responses API; chat completions refuse them. */
function isReasoningModel(model: string): boolean {
  return /^(o\d|gpt-([5-9]|\d\d)|codex)/.test(model) && !/^gpt-[\d.]+-chat/.test(model)
}

/** Gateways in OpenAI's place are only sure to speak chat completions. */
function servesResponses({ openai }: ModelsConfig, { baseUrl }: ModelProvider): boolean {
  if (openai?.api) return openai.api === 'responses'
  return /(^|\.)openai\.(com|azure\.com)$/.test(new URL(baseUrl).hostname)
}
