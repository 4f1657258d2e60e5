import type { ModelPatterns } from './model-patterns.ts'
import type { ModelLimits } from './with-limits.ts'

/** Providers and their addresses. Absent values mean: not set up, or the provider's own address. */
export interface ModelsConfig {
  /** `provider/model` of agents that name none. */
  default?: string
  /** `provider/model` or `local/FOLDER`; absent: lexical retrieval alone. */
  embedding?: string
  rerank?: RerankConfig
  /** Holds folders of models that workspaces may choose as `local/NAME`. */
  folder?: string
  /**
   * `api`: what models that reason are asked by; default `responses` at OpenAI itself, `chat-completions` elsewhere.
   */
  openai?: { apiKey?: string; baseUrl?: string; api?: 'responses' | 'chat-completions' }
  anthropic?: { apiKey?: string; baseUrl?: string }
  google?: { apiKey?: string; baseUrl?: string }
  /** URL with or without `/v1` at its end. */
  ollama?: { baseUrl?: string }
  openaiCompatible?: { baseUrl?: string; apiKey?: string }
  /** Models that pictures are sent to; default: those that are known to see. */
  seesPictures?: ModelPatterns
  timeouts: ModelLimits
  /** The window of models whose size is not known; default 128,000. */
  contextTokens?: number
}

/** Model that reorders found passages, and how it is asked. */
export interface RerankConfig {
  /** Absent: there is none, or `model` is `local/FOLDER`. */
  url?: string
  model?: string
  apiKey?: string
  /** Passages that it orders. */
  depth: number
  /** Limit for one search. */
  timeoutMs: number
}
