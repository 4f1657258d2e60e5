import { createAiSdkClient } from './ai-sdk/ai-sdk.ts'
import { createChatCompletionsClient } from './chat-completions/chat-completions.ts'
import { ModelNotAvailableError } from './failures/model.errors.ts'
import { contextWindowOf, findKnownModel } from './known-models.ts'
import type { LanguageModel, RerankModel } from './model.ts'
import type { ModelClient, ModelProvider } from './model-provider.ts'
import type { ModelsConfig } from './models.config.ts'
import { createOfferedModels, findOffered, type Offered } from './offered/offered-models.ts'
import { getProvider, isSetUp, labelOf, listProviders, splitModelId } from './providers.ts'
import { createReranker, NO_RERANKING } from './rerank/rerank.ts'
import { createChosenTranscriber, createTranscriber, type Transcriber } from './transcription/transcribe.ts'
import { withLimits } from './with-limits.ts'

/** Models that a workspace chose for kinds of work; null: as the server has it. */
export interface ModelDefaults {
  /** Model of agents that name none. */
  answers: string | null
  /** Model that sums up long chats; null: that of the agent. */
  summaries: string | null
  /** Model that names new chats; null: the first words of the question do. */
  titles: string | null
  /** Model that transcribes speech; null: none does. */
  transcription: string | null
  /** Model that reorders found passages, or `none`; null: the server's, if it has one. */
  reranking: string | null
}

/** Providers and choices of a workspace beside those of the environment. */
export interface OwnModels {
  providers: ModelProvider[]
  defaults: ModelDefaults
}

interface Abilities {
  contextTokens: number
  /** Whether nothing is known of the window, so that it is taken to be that of models like it. */
  isWindowAssumed: boolean
  /** Undefined where it is not known: no picture goes along then. */
  seesPictures: boolean | undefined
  /** Undefined where it is not known. */
  takesTools: boolean | undefined
}

/** A provider as people are shown it; `missing` names the setting without which it cannot be used. */
export interface ListedProvider {
  id: string
  name: string
  missing: string | null
  source: 'environment' | 'workspace'
}

/** Default model of a provider whose key alone is set: the middle of the vendor's range. */
const DEFAULT_MODELS = [
  ['openai', 'openai/gpt-6-sol'],
  ['anthropic', 'anthropic/claude-sonnet-5-5'],
  ['google', 'google/gemini-3.8-flash'],
] as const

const OFFLINE_MODEL = 'builtin/extractive'

export const NO_DEFAULTS: ModelDefaults = {
  answers: null,
  summaries: null,
  titles: null,
  transcription: null,
  reranking: null,
}
const NOTHING_OWN: OwnModels = { providers: [], defaults: NO_DEFAULTS }

export type Find = ReturnType<typeof createFind>

/** Finds models by their ids, of the environment and of providers that a workspace has; nothing is asked yet. */
export function createFind(config: ModelsConfig, builtin: Record<string, LanguageModel>) {
  const offeredBy = createOfferedModels()

  /** @throws ModelNotAvailableError that says which setting is missing, or that there is no such provider. */
  function find(id: string, own: readonly ModelProvider[] = []): LanguageModel {
    const { providerId, model: name } = splitModelId(id)
    if (providerId === 'builtin') {
      const found = Object.hasOwn(builtin, name) ? builtin[name] : undefined
      if (found) return found
      throw new ModelNotAvailableError(`There is no model "${id}": builtin has ${Object.keys(builtin).join(', ')}`)
    }
    const provider = getProvider(config, providerId, own)
    const contextTokens = contextWindowOf(name, config.contextTokens)
    const client = createClient(config, { id, provider, model: name, contextTokens })
    const limited = withLimits(client, { provider, limits: config.timeouts })
    const askWindow = async () => findOffered(await offeredBy.atOnce(provider), name)?.contextTokens ?? contextTokens
    const listedPrice = () => findOffered(offeredBy.last(provider), name)?.price
    const model = { ...limited, askWindow, listedPrice }
    const seesPictures = config.seesPictures?.(id) ?? findKnownModel(name)?.seesPictures
    const sight = seesPictures === undefined ? {} : { seesPictures }
    if (config.seesPictures) return { ...model, ...sight }
    const askSight = async () => findOffered(await offeredBy(provider), name)?.seesPictures ?? seesPictures
    return { ...model, ...sight, askSight }
  }

  return { find, offeredBy, config, builtin }
}

export type ModelSet = ReturnType<typeof createModelSet>

/**
 * The models that a workspace can use, by their ids.
 * @param resolve the model with this id, counted and logged
 */
export function createModelSet(
  { find, offeredBy, config, builtin }: Find,
  resolve: (id: string, own: readonly ModelProvider[]) => LanguageModel,
  { providers: own, defaults }: OwnModels = NOTHING_OWN,
) {
  const builtinIds = Object.keys(builtin).map((name) => `builtin/${name}`)
  /** Providers whose key alone is set, by the environment first. */
  const withKey = DEFAULT_MODELS.filter(
    ([id]) => config[id]?.apiKey || own.some((provider) => provider.id === id && provider.kind === id),
  )
  const shown = own.filter(({ id }) => !isSetUp(config, id))

  return {
    defaults,

    /** @throws ModelNotAvailableError that says which setting is missing, or that there is no such provider. */
    resolve: (id: string): LanguageModel => resolve(id, own),

    /** The model of agents that name none. Whether it can be used shows when it is resolved. */
    defaultModelId: defaults.answers ?? config.default ?? withKey[0]?.[1] ?? OFFLINE_MODEL,

    /** Providers of models, those of the workspace last. */
    providers: (): ListedProvider[] => [
      ...listProviders(config)
        .filter(({ id }) => !shown.some((provider) => provider.id === id))
        .map((provider) => ({ ...provider, source: 'environment' as const })),
      ...shown.map(({ id, kind }) => ({
        id,
        name: labelOf({ name: id, kind }),
        missing: null,
        source: 'workspace' as const,
      })),
      { id: 'builtin', name: 'Built in', missing: null, source: 'environment' },
    ],

    /** Models that a provider says it has; of one over the network that is set up. */
    offered: async (providerId: string): Promise<Offered> => {
      if (providerId !== 'builtin') return offeredBy(getProvider(config, providerId, own))
      const listed = Object.entries(builtin)
      const models = listed.map(([name, { contextTokens }]) => ({ name, contextTokens, takesTools: false }))
      return { models, problem: null }
    },

    /** Models that are worth a try, of providers that are set up. */
    suggestions: (): string[] => [...withKey.map(([, model]) => model), ...builtinIds],

    /** Client of a transcription model. @throws ModelNotAvailableError for one of a provider without such */
    transcriber: (id: string): Transcriber => createTranscriber(config, { id, own }),

    /** Client of the speech model that the workspace chose, as `createChosenTranscriber`. */
    speech: (): Transcriber | undefined => createChosenTranscriber(config, { id: defaults.transcription, own }),

    /** Window of a model and whether pictures go along with questions; undefined for one that cannot be used. */
    async findAbilities(id: string): Promise<Abilities | undefined> {
      try {
        const { contextTokens, seesPictures, onlyQuotes, askSight } = find(id, own)
        const known = findKnownModel(splitModelId(id).model)
        const takesTools = onlyQuotes ? false : known?.takesTools
        const isWindowAssumed = !onlyQuotes && known?.contextTokens === undefined
        const sight = onlyQuotes ? false : ((await askSight?.()) ?? seesPictures)
        return { contextTokens, isWindowAssumed, seesPictures: sight, takesTools }
      } catch (error) {
        if (error instanceof ModelNotAvailableError) return undefined
        throw error
      }
    },

    /** Whether a model writes texts of its own; one that cannot be used might. */
    canConverse(id: string): boolean {
      try {
        return !find(id, own).onlyQuotes
      } catch {
        return true
      }
    },

    /** Reason that an agent could not use this model, as a sentence; `undefined` if it could. Asks no provider. */
    problemWith: (id: string): string | undefined => problemOf(() => find(id, own)),

    /** Model that reorders found passages. @throws ModelNotAvailableError for one of a provider without such */
    reranker: (id: string): RerankModel => createReranker(config, { id, own }),

    /** Reason that passages could not be ordered by this model, as `problemWith`. */
    problemWithReranking(id: string): string | undefined {
      return id === NO_RERANKING ? undefined : problemOf(() => this.reranker(id))
    },

    /** Reason that speech could not be sent to this model, as `problemWith`. */
    problemWithTranscription(id: string): string | undefined {
      return problemOf(() => this.transcriber(id))
    },
  }
}

/** Sentence why a model could not be used; `undefined` when it could. */
function problemOf(use: () => unknown): string | undefined {
  try {
    use()
    return undefined
  } catch (error) {
    if (error instanceof ModelNotAvailableError) return error.message
    throw error
  }
}

function createClient(
  config: ModelsConfig,
  options: { id: string; provider: ModelProvider; model: string; contextTokens: number },
): ModelClient {
  const { provider, model } = options
  if (provider.kind === 'anthropic') return createAiSdkClient({ ...options, api: 'anthropic-messages' })
  if (provider.kind === 'google') return createAiSdkClient({ ...options, api: 'google-generate' })
  if (provider.kind === 'openai' && isReasoningModel(model) && servesResponses(config, provider)) {
    return createAiSdkClient({ ...options, api: 'openai-responses' })
  }
  return createChatCompletionsClient(options)
}

/** OpenAI serves tools to models that reason only through its Responses API; chat completions refuse them. */
function isReasoningModel(model: string): boolean {
  return /^(o\d|gpt-([5-9]|\d\d)|codex)/.test(model) && !/^gpt-[\d.]+-chat/.test(model)
}

/** Gateways in OpenAI's place are only sure to speak chat completions. */
function servesResponses({ openai }: ModelsConfig, { baseUrl, version }: ModelProvider): boolean {
  if (openai?.api && !version) return openai.api === 'responses'
  return /(^|\.)openai\.(com|azure\.com)$/.test(new URL(baseUrl).hostname)
}
