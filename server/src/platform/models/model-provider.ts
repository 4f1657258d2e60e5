import type { GenerateOptions, ModelRequest, ModelTurn } from './model.ts'

/** Whom a request goes to, in the words that an operator knows it by. */
export interface ModelProvider {
  /** The first half of a model id. */
  id: string
  /** How sentences name it, at their start. */
  label: string
  baseUrl: string
  apiKey?: string
  /** The settings behind `apiKey` and `baseUrl`, named in errors. */
  keySetting?: string
  urlSetting: string
}

/**
 * What a provider's client does; `withLimits` makes a `LanguageModel` of it. A client throws `ModelError`, or the
 * signal's reason once that is aborted.
 */
export interface ModelClient {
  readonly id: string
  readonly contextTokens: number
  /** `onActivity`: the model works on something that is no delta (the arguments of a tool call). */
  generate(request: ModelRequest, options: GenerateOptions & { onActivity(): void }): Promise<ModelTurn>
}
