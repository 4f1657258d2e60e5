import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { ModelMessage, ModelTool } from '../model.ts'
import { parseJson } from '../read-reply.ts'

export type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** An assistant's reply as its vendor must see it again, with signatures and encrypted reasoning in place. */
export interface AiSdkState {
  protocol: 'ai-sdk'
  vendor: string
  content: AssistantContent
}

/** Our messages as the AI SDK's providers take them. `cacheOptions` goes to the places where caching pays. */
export function toPrompt(
  messages: ModelMessage[],
  { vendor, cacheOptions }: { vendor: string; cacheOptions?: SharedV4ProviderOptions },
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = []
  // Vendors take system text only at the start.
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content)
  if (system.length > 0) prompt.push({ role: 'system', content: system.join('\n\n') })
  for (const message of messages) {
    if (message.role === 'user') prompt.push(userMessage(message))
    else if (message.role === 'assistant') {
      const content = assistantContent(message, vendor)
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else if (message.role === 'tool') addToolResult(prompt, message)
  }
  if (cacheOptions) {
    const cached = new Set([prompt[0], prompt.at(-1)])
    for (const place of cached) if (place) place.providerOptions = cacheOptions
  }
  return prompt
}

export function toTools(tools: ModelTool[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters as LanguageModelV4FunctionTool['inputSchema'],
  }))
}

/** A call's arguments as the object that vendors demand, also where the model wrote no JSON. */
export function toInput(args: string): unknown {
  const input = parseJson(args)
  return typeof input === 'object' && input !== null ? input : { unreadable: args }
}

function userMessage({ content, images = [] }: Extract<ModelMessage, { role: 'user' }>): LanguageModelV4Message {
  return {
    role: 'user',
    content: [
      ...(content || images.length === 0 ? [{ type: 'text' as const, text: content }] : []),
      ...images.map(({ mediaType, data }) => ({
        type: 'file' as const,
        mediaType,
        data: { type: 'data' as const, data },
      })),
    ],
  }
}

function assistantContent(message: Extract<ModelMessage, { role: 'assistant' }>, vendor: string): AssistantContent {
  const state = message.providerState as AiSdkState | undefined
  if (state?.protocol === 'ai-sdk' && state.vendor === vendor) return state.content
  return [
    ...(message.content ? [{ type: 'text' as const, text: message.content }] : []),
    ...(message.toolCalls ?? []).map((call) => ({
      type: 'tool-call' as const,
      toolCallId: call.id,
      toolName: call.name,
      input: toInput(call.arguments),
    })),
  ]
}

function addToolResult(prompt: LanguageModelV4Prompt, message: Extract<ModelMessage, { role: 'tool' }>): void {
  const part = {
    type: 'tool-result' as const,
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    output: { type: message.isError ? ('error-text' as const) : ('text' as const), value: message.content },
  }
  // Results of one reply's calls belong in one message.
  const last = prompt.at(-1)
  if (last?.role === 'tool') last.content.push(part)
  else prompt.push({ role: 'tool', content: [part] })
}
