import { complaintError, readComplaint, unreadableError } from '../failures/provider-failures.ts'
import type { ModelDelta, ModelReply, ModelUsage } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import type { ChatCompletionsState } from './chat-completions.request.ts'
import { createTextFrames } from './text-frames.ts'
import { createThinkTags } from './think-tags.ts'
import { createToolCallAssembly, type ToolCallFragment } from './tool-call-assembly.ts'

/**
 * Collects one answer, from the chunks of a stream or from one whole completion. `emit` gets text and reasoning as
 * they come.
 */
export class CollectedAnswer {
  readonly #options: { provider: ModelProvider; model: string }
  readonly #emit: (delta: ModelDelta) => void
  #text = ''
  #reasoning = ''
  #reasoningField: 'reasoning_content' | 'reasoning' | undefined
  #finishReason: string | undefined
  #usage: WireUsage | undefined
  #isDone = false
  #hasToolCalls = false
  readonly #calls = createToolCallAssembly()
  readonly #content = createThinkTags((type, piece) => this.#add(type, piece))
  readonly #frames = createTextFrames(onlyTextOf)

  constructor(options: { provider: ModelProvider; model: string }, emit: (delta: ModelDelta) => void) {
    this.#options = options
    this.#emit = emit
  }

  /** One event at a place of the stream, if it holds nothing but text. @returns the place after it, or the same place */
  takeAt(stream: string, from: number): number {
    return this.#frames.takeAt(stream, from, this.#content.push)
  }

  /** The data of one server-sent event. @throws ModelError for an error object or something unreadable */
  takeEvent(data: string): void {
    if (data === '[DONE]') {
      this.#isDone = true
      return
    }
    if (!data) return
    const piece = this.#frames.textIn(data)
    if (piece !== undefined) {
      this.#content.push(piece)
      return
    }
    let chunk: unknown
    try {
      chunk = JSON.parse(data)
    } catch {
      throw unreadableError(this.#options.provider, 'an event that is no JSON')
    }
    this.take(chunk)
    this.#frames.learn(data, chunk)
  }

  /** One chunk, or one whole completion. @throws ModelError for an error object or something unreadable */
  take(value: unknown): void {
    const { provider, model } = this.#options
    const chunk = value as WireChunk | null
    if (typeof chunk !== 'object' || chunk === null) throw unreadableError(provider, 'an event that is no object')
    if (chunk.error || chunk.object === 'error') throw complaintError(provider, model, readComplaint(chunk))
    if (chunk.usage) this.#usage = chunk.usage
    const choice = chunk.choices?.[0]
    if (!choice) return
    if (choice.finish_reason) this.#finishReason = choice.finish_reason
    const delta = choice.delta ?? choice.message
    if (!delta) return
    this.#takeReasoning(delta)
    if (typeof delta.content === 'string') {
      if (delta.content) this.#content.push(delta.content)
    } else if (delta.content) this.#takeParts(delta.content)
    if (delta.refusal) this.#content.push(delta.refusal)
    if (delta.tool_calls) {
      for (const fragment of delta.tool_calls) this.#calls.add(fragment)
      this.#hasToolCalls ||= delta.tool_calls.length > 0
    }
  }

  finish(): ModelReply {
    this.#content.end()
    const toolCalls = this.#calls.finish()
    const state = toolCalls.length > 0 ? this.#stateFor() : undefined
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      toolCalls,
      finishReason: toFinishReason(this.#finishReason, toolCalls.length > 0),
      usage: toUsage(this.#usage),
      ...(state && { providerState: state }),
    }
  }

  /** The provider said that nothing more follows. */
  isDone() {
    return this.#isDone
  }

  /** The answer is whole, though more may follow (usage). */
  isComplete() {
    return this.#isDone || this.#finishReason !== undefined
  }

  hasToolCalls() {
    return this.#hasToolCalls
  }

  #add(type: ModelDelta['type'], piece: string): void {
    if (type === 'text') this.#text += piece
    else this.#reasoning += piece
    this.#emit({ type, text: piece })
  }

  #takeReasoning(delta: WireDelta): void {
    // Some servers send the same text under both names.
    const field = delta.reasoning_content ? 'reasoning_content' : 'reasoning'
    const piece = delta[field]
    if (typeof piece !== 'string' || !piece) return
    this.#reasoningField = field
    this.#add('reasoning', piece)
  }

  #takeParts(parts: WirePart[]): void {
    for (const part of parts) {
      if (part.text) this.#content.push(part.text)
      for (const thought of part.thinking ?? []) if (thought.text) this.#add('reasoning', thought.text)
    }
  }

  #stateFor(): ChatCompletionsState | undefined {
    const extras = this.#calls.extras()
    const hasExtras = Object.keys(extras).length > 0
    if (!this.#reasoningField && !hasExtras) return undefined
    return {
      protocol: 'chat-completions',
      ...(this.#reasoningField && { reasoning: { field: this.#reasoningField, text: this.#reasoning } }),
      ...(hasExtras && { callExtras: extras }),
    }
  }
}

interface WireUsage {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  completion_tokens_details?: { reasoning_tokens?: number } | null
  prompt_cache_hit_tokens?: number
}

interface WirePart {
  text?: string
  thinking?: { text?: string }[]
}

interface WireDelta {
  content?: string | WirePart[] | null
  reasoning_content?: string | null
  reasoning?: string | null
  refusal?: string | null
  tool_calls?: ToolCallFragment[] | null
}

interface WireChunk {
  object?: string
  error?: unknown
  usage?: WireUsage | null
  choices?: { delta?: WireDelta | null; message?: WireDelta | null; finish_reason?: string | null }[]
}

/** The text of a chunk that holds nothing else. */
function onlyTextOf(chunk: unknown): string | undefined {
  const { usage, choices } = chunk as WireChunk
  const [choice] = choices ?? []
  const { content, reasoning_content, reasoning, refusal, tool_calls } = choice?.delta ?? {}
  const isMore = usage || choice?.finish_reason || reasoning_content || reasoning || refusal || tool_calls
  return typeof content === 'string' && content !== '' && !isMore ? content : undefined
}

const FINISH_REASONS: Record<string, ModelReply['finishReason']> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

function toFinishReason(reason = 'stop', hasToolCalls: boolean): ModelReply['finishReason'] {
  const known = FINISH_REASONS[reason] ?? 'other'
  // Calls count even where the server ends with `stop`, and `tool_calls` without one is an answer.
  if (hasToolCalls && (known === 'stop' || known === 'other')) return 'tool-calls'
  return known === 'tool-calls' && !hasToolCalls ? 'stop' : known
}

function toUsage(usage: WireUsage = {}): ModelUsage {
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  }
}
