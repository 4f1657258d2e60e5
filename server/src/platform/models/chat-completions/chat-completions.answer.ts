import type { ModelDelta, ModelReply, ModelUsage } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import { complaintError, readComplaint, unreadableError } from '../provider-failures.ts'
import type { ChatCompletionsState } from './chat-completions.request.ts'
import { createTextFrames } from './text-frames.ts'
import { createThinkTags } from './think-tags.ts'
import { createToolCallAssembly, type ToolCallFragment } from './tool-call-assembly.ts'

/**
 * Collects one answer, from the chunks of a stream or from one whole completion. `emit` gets text and reasoning as
 * they come.
 */
export function createAnswer(
  { provider, model }: { provider: ModelProvider; model: string },
  emit: (delta: ModelDelta) => void,
) {
  let text = ''
  let reasoning = ''
  let reasoningField: 'reasoning_content' | 'reasoning' | undefined
  let finishReason: string | undefined
  let usage: WireUsage | undefined
  let isDone = false
  let hasToolCalls = false
  const calls = createToolCallAssembly()
  const content = createThinkTags(add)
  const frames = createTextFrames(onlyTextOf)

  function add(type: ModelDelta['type'], piece: string): void {
    if (type === 'text') text += piece
    else reasoning += piece
    emit({ type, text: piece })
  }

  /** One event at a place of the stream, if it holds nothing but text. @returns the place after it, or the same place */
  const takeAt = (stream: string, from: number): number => frames.takeAt(stream, from, content.push)

  /** The data of one server-sent event. @throws ModelError for an error object or something unreadable */
  function takeEvent(data: string): void {
    if (data === '[DONE]') {
      isDone = true
      return
    }
    if (!data) return
    const piece = frames.textIn(data)
    if (piece !== undefined) {
      content.push(piece)
      return
    }
    let chunk: unknown
    try {
      chunk = JSON.parse(data)
    } catch {
      throw unreadableError(provider, 'an event that is no JSON')
    }
    take(chunk)
    frames.learn(data, chunk)
  }

  /** One chunk, or one whole completion. @throws ModelError for an error object or something unreadable */
  function take(value: unknown): void {
    const chunk = value as WireChunk | null
    if (typeof chunk !== 'object' || chunk === null) throw unreadableError(provider, 'an event that is no object')
    if (chunk.error || chunk.object === 'error') throw complaintError(provider, model, readComplaint(chunk))
    if (chunk.usage) usage = chunk.usage
    const choice = chunk.choices?.[0]
    if (!choice) return
    if (choice.finish_reason) finishReason = choice.finish_reason
    const delta = choice.delta ?? choice.message
    if (!delta) return
    takeReasoning(delta)
    if (typeof delta.content === 'string') {
      if (delta.content) content.push(delta.content)
    } else if (delta.content) takeParts(delta.content)
    if (delta.refusal) content.push(delta.refusal)
    if (delta.tool_calls) {
      for (const fragment of delta.tool_calls) calls.add(fragment)
      hasToolCalls ||= delta.tool_calls.length > 0
    }
  }

  function takeReasoning(delta: WireDelta): void {
    // Some servers send the same text under both names.
    const field = delta.reasoning_content ? 'reasoning_content' : 'reasoning'
    const piece = delta[field]
    if (typeof piece !== 'string' || !piece) return
    reasoningField = field
    add('reasoning', piece)
  }

  function takeParts(parts: WirePart[]): void {
    for (const part of parts) {
      if (part.text) content.push(part.text)
      for (const thought of part.thinking ?? []) if (thought.text) add('reasoning', thought.text)
    }
  }

  function finish(): ModelReply {
    content.end()
    const toolCalls = calls.finish()
    const state = toolCalls.length > 0 ? stateFor() : undefined
    return {
      text,
      reasoning,
      toolCalls,
      finishReason: toFinishReason(finishReason, toolCalls.length > 0),
      usage: toUsage(usage),
      ...(state && { providerState: state }),
    }
  }

  function stateFor(): ChatCompletionsState | undefined {
    const extras = calls.extras()
    const hasExtras = Object.keys(extras).length > 0
    if (!reasoningField && !hasExtras) return undefined
    return {
      protocol: 'chat-completions',
      ...(reasoningField && { reasoning: { field: reasoningField, text: reasoning } }),
      ...(hasExtras && { callExtras: extras }),
    }
  }

  return {
    takeAt,
    takeEvent,
    take,
    finish,
    /** The provider said that nothing more follows. */
    isDone: () => isDone,
    /** The answer is whole, though more may follow (usage). */
    isComplete: () => isDone || finishReason !== undefined,
    hasToolCalls: () => hasToolCalls,
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
