import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ModelDelta, ModelReply, ModelUsage, ToolCall } from '../model.ts'
import { type AiSdkState, type AssistantContent, toInput } from './ai-sdk.prompt.ts'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>
type Metadata = Finish['providerMetadata']
type Part = AssistantContent[number]

/** Collects one reply from the parts of an AI SDK stream. `emit` gets text and reasoning as they come. */
export function createAiSdkAnswer(vendor: string, emit: (delta: ModelDelta) => void) {
  let text = ''
  let reasoning = ''
  let finishPart: Finish | undefined
  const toolCalls: ToolCall[] = []
  // Everything again, in order and with the vendor's metadata, for the next request.
  const content: AssistantContent = []
  const open = new Map<string, Extract<Part, { type: 'text' | 'reasoning' }>>()

  /** @returns whether the model did something that counts as work: wrote, thought, or built a tool call. */
  function take(part: LanguageModelV4StreamPart): boolean {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        begin(part.id, part.type === 'text-start' ? 'text' : 'reasoning', part.providerMetadata)
        return false
      case 'text-delta':
      case 'reasoning-delta':
        return takeDelta(part.type === 'text-delta' ? 'text' : 'reasoning', part)
      case 'text-end':
      case 'reasoning-end': {
        const type = part.type === 'text-end' ? 'text' : 'reasoning'
        attach(open.get(type + part.id), part.providerMetadata)
        open.delete(type + part.id)
        return false
      }
      case 'tool-input-start':
      case 'tool-input-delta':
        return true
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input } = part
        toolCalls.push({ id, name, arguments: input.trim() || '{}' })
        const call: Part = { type: 'tool-call', toolCallId: id, toolName: name, input: toInput(input || '{}') }
        attach(call, part.providerMetadata)
        content.push(call)
        return true
      }
      case 'finish':
        finishPart = part
        return false
      default:
        return false
    }
  }

  function begin(id: string, type: 'text' | 'reasoning', metadata: Metadata) {
    const part = { type, text: '' }
    attach(part, metadata)
    content.push(part)
    open.set(type + id, part)
    return part
  }

  function takeDelta(
    type: 'text' | 'reasoning',
    { id, delta, providerMetadata }: { id: string; delta: string; providerMetadata?: Metadata },
  ): boolean {
    const part = open.get(type + id) ?? begin(id, type, undefined)
    attach(part, providerMetadata)
    // Signatures come as deltas without text.
    if (!delta) return false
    part.text += delta
    if (type === 'text') text += delta
    else reasoning += delta
    emit({ type, text: delta })
    return true
  }

  function finish(): ModelReply {
    const state: AiSdkState | undefined = content.some((part) => part.providerOptions)
      ? { protocol: 'ai-sdk', vendor, content: content.filter((part) => !isEmptyText(part)) }
      : undefined
    return {
      text,
      reasoning,
      toolCalls,
      finishReason: toFinishReason(finishPart?.finishReason, toolCalls.length > 0),
      usage: toUsage(finishPart?.usage),
      ...(state && { providerState: state }),
    }
  }

  return {
    take,
    finish,
    /** How the provider ended, once it has. */
    ending: () => finishPart?.finishReason.unified,
  }
}

function attach(part: Part | undefined, metadata: Metadata): void {
  if (!part || !metadata) return
  const options = { ...part.providerOptions }
  for (const [name, values] of Object.entries(metadata)) options[name] = { ...options[name], ...values }
  part.providerOptions = options
}

function isEmptyText(part: Part): boolean {
  return part.type === 'text' && part.text === '' && !part.providerOptions
}

function toFinishReason(
  reason: LanguageModelV4FinishReason | undefined,
  hasToolCalls: boolean,
): ModelReply['finishReason'] {
  if (hasToolCalls) return 'tool-calls'
  switch (reason?.unified) {
    case 'stop':
    case 'length':
    case 'content-filter':
      return reason.unified
    default:
      return 'other'
  }
}

function toUsage(usage?: LanguageModelV4Usage): ModelUsage {
  return {
    inputTokens: usage?.inputTokens.total ?? 0,
    cachedInputTokens: usage?.inputTokens.cacheRead ?? 0,
    outputTokens: usage?.outputTokens.total ?? 0,
    reasoningTokens: usage?.outputTokens.reasoning ?? 0,
  }
}
