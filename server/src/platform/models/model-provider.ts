import type { GenerateOptions, ModelReply, ModelRequest } from './model.ts'

/** The receiver of a request, in the words that an operator knows it by. */
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
 * A provider's client; `withLimits` makes a `LanguageModel` of it. It throws `ModelError`, or the signal's reason once
 * that is aborted.
 */
export interface ModelClient {
  readonly id: string
  readonly contextTokens: number
  /** `onActivity`: the model works on something that is no delta (the arguments of a tool call). */
  generate(request: ModelRequest, options: GenerateOptions & { onActivity(): void }): Promise<ModelReply>
}
