import type { OutboundGuard } from '../outbound/outbound-guard.ts'
import type { GenerateOptions, ModelReply, ModelRequest } from './model.ts'

/** APIs that providers speak, in the order in which a key of the environment makes one the default. */
export const PROVIDER_KINDS = ['openai', 'anthropic', 'google', 'ollama', 'openai-compatible'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** The receiver of a request, in the words that an operator knows it by. */
export interface ModelProvider {
  /** The first half of a model id. */
  id: string
  kind: ProviderKind
  /** How sentences name it, at their start. */
  label: string
  baseUrl: string
  apiKey?: string
  /** The settings behind `apiKey` and `baseUrl`, named in errors. */
  keySetting?: string
  urlSetting: string
  /** Place in which its model was chosen, as errors name it. Default: in the agent or in DOCENT_MODEL */
  chosenIn?: string
  /** Set for one of a workspace, whose members chose its address: every connection to it is checked. */
  guard?: OutboundGuard
  /** Set for one of a workspace: another one after each change. */
  version?: string
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
