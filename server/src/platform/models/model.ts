/**
 * One reply of a language model, whatever the provider. Providers hand over the deltas of one network read as one
 * batch, so that a run pays per read and not per token.
 */
export interface LanguageModel {
  /** `provider/model`, as agents name it. */
  readonly id: string
  /** Tokens that prompt and answer may hold together, as far as the name tells. */
  readonly contextTokens: number
  /** Asks the provider how many they are; absent where the model itself says so. Never waits for long. */
  askWindow?(): Promise<number>
  /** Set where it cannot write a text of its own, like a summary. */
  readonly onlyQuotes?: true
  /** Whether pictures may go along with a question, as far as the name tells; absent, where it does not, they do not. */
  readonly seesPictures?: boolean
  /** Price in its provider's list as it was read last; undefined where none is known. Asks nothing and waits for nothing. */
  listedPrice?(): ListedPrice | undefined
  /** Asks the provider whether it sees pictures; absent where a setting or the model itself says so. */
  askSight?(): Promise<boolean | undefined>
  /**
   * Streams one reply to its end.
   * @throws ModelError when the provider refuses, hangs past a limit, or answers something that cannot be read; the
   *   deltas that came before stand.
   */
  generate(request: ModelRequest, options: GenerateOptions): Promise<ModelReply>
}

/** US dollars for a million tokens. */
export interface ListedPrice {
  input: number
  /** Input that the provider had kept from before; absent: as `input`. */
  cachedInput?: number
  output: number
}

export interface GenerateOptions {
  /** Called synchronously as text arrives, with what one read brought. */
  onDeltas(deltas: ModelDelta[]): void
  /** Aborting ends the request to the provider at once; `generate` then rejects with the signal's reason. */
  signal: AbortSignal
}

export interface ModelRequest {
  messages: ModelMessage[]
  tools: ModelTool[]
  /** Default `auto`; `none` makes the model answer in text. */
  toolChoice?: 'auto' | 'none'
  maxOutputTokens?: number
}

export type ModelMessage =
  | { role: 'system'; content: string }
  | {
      role: 'user'
      content: string
      images?: ModelImage[]
      /** The person's own words, where `content` holds more than them. Never sent over the network. */
      question?: string
    }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[]; providerState?: unknown }
  | {
      role: 'tool'
      toolCallId: string
      toolName: string
      content: string
      isError?: boolean
      /** The same result as a value, for providers inside this process. Never sent over the network. */
      data?: unknown
    }

export interface ModelImage {
  mediaType: string
  /** Base64. */
  data: string
}

export interface ModelTool {
  name: string
  description: string
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>
}

export interface ToolCall {
  id: string
  name: string
  /** JSON text as the model wrote it; it may be no JSON at all. */
  arguments: string
}

export interface ModelDelta {
  type: 'text' | 'reasoning'
  text: string
}

export interface ModelReply {
  text: string
  reasoning: string
  toolCalls: ToolCall[]
  finishReason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other'
  usage: ModelUsage
  /** Data that the provider wants to see again with this reply's assistant message (signed reasoning, for one). */
  providerState?: unknown
}

/** Tokens; 0 where the provider does not tell. `inputTokens` includes the cached ones, `outputTokens` the reasoning. */
export interface ModelUsage {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  reasoningTokens: number
}

/** Texts to vectors. */
export interface EmbeddingModel {
  /** `provider/model` or `local/FOLDER`. */
  readonly id: string
  /** One vector a text, in order, L2-normalised. @throws ModelError */
  embed(texts: string[], options: { purpose: 'query' | 'document'; signal: AbortSignal }): Promise<Float32Array[]>
}

/** Tells how well texts answer a question: a cross-encoder, which reads both together. */
export interface RerankModel {
  /** `provider/model`, `local/FOLDER`, or the address of an endpoint that serves one model. */
  readonly id: string
  /** One score a text, in order; the higher, the better. @throws ModelError, or the signal's reason */
  score(query: string, texts: readonly string[], options: { signal: AbortSignal }): Promise<number[]>
}
