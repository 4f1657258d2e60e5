import type { ModelImage, ModelMessage, ModelRequest } from '../model.ts'

/**
 * State of an assistant message that a chat completions server wants to see again: reasoning beside tool calls, under
 * the field it came in, and what it attached to the calls.
 */
export interface ChatCompletionsState {
  protocol: 'chat-completions'
  reasoning?: { field: 'reasoning_content' | 'reasoning'; text: string }
  callExtras?: Record<string, unknown>
}

/** Habits of a server, learnt from its refusals. */
export interface ServerHabits {
  /** Takes `stream_options`, and so reports usage. */
  asksUsage: boolean
  /** Lets its model reason and call tools in one request. */
  reasons: boolean
}

/** The body of a streamed request, as JSON text. */
export function chatCompletionsBody(
  { messages, tools, toolChoice, maxOutputTokens }: ModelRequest,
  { model, asksUsage, reasons, maxTokensField }: { model: string; maxTokensField: string } & ServerHabits,
): string {
  return JSON.stringify({
    model,
    messages: messages.map(toWire),
    stream: true,
    ...(asksUsage && { stream_options: { include_usage: true } }),
    ...(maxOutputTokens !== undefined && { [maxTokensField]: maxOutputTokens }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
      // `auto` is what every server does unasked, and some refuse the field.
      ...(toolChoice === 'none' && { tool_choice: 'none' }),
      ...(!reasons && { reasoning_effort: 'none' }),
    }),
  })
}

function toWire(message: ModelMessage): Record<string, unknown> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return {
        role: 'user',
        content: message.images?.length ? withImages(message.content, message.images) : message.content,
      }
    case 'assistant':
      return assistantToWire(message)
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: message.isError ? `Error: ${message.content}` : message.content,
      }
  }
}

function withImages(text: string, images: ModelImage[]) {
  return [
    ...(text ? [{ type: 'text', text }] : []),
    ...images.map(({ mediaType, data }) => ({
      type: 'image_url',
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ]
}

function assistantToWire({ content, toolCalls = [], providerState }: Extract<ModelMessage, { role: 'assistant' }>) {
  const state = stateOf(providerState)
  return {
    role: 'assistant',
    content: content || (toolCalls.length > 0 ? null : ''),
    ...(state?.reasoning && { [state.reasoning.field]: state.reasoning.text }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
        ...(state?.callExtras?.[id] !== undefined && { extra_content: state.callExtras[id] }),
      })),
    }),
  }
}

function stateOf(providerState: unknown): ChatCompletionsState | undefined {
  const state = providerState as ChatCompletionsState | undefined
  return state?.protocol === 'chat-completions' ? state : undefined
}
