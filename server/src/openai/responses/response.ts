import type { Answered, Begun, StoredAnswer } from '../asking.ts'
import type { OpenAiError } from '../openai-errors.ts'
import { type Spoken, textOf, toldCall, toldResult, toSpoken } from '../spoken.ts'
import type { OutputItem } from './output-items.ts'
import type { CreateResponse } from './responses.schemas.ts'

/** Messages of a request, as both APIs have them. */
export function spokenOf({ input, instructions }: CreateResponse): Spoken[] {
  const first = instructions ? [toSpoken({ role: 'system', content: instructions }, 'instructions')] : []
  if (typeof input === 'string') return [...first, toSpoken({ role: 'user', content: input }, 'input')]
  return [
    ...first,
    ...input.flatMap((item, index) => {
      const path = `input.${index}`
      if (item.type === 'message') return toSpoken(item, path)
      if (item.type === 'function_call')
        return toSpoken({ role: 'assistant', content: toldCall(item.name, item.arguments) }, path)
      return item.type === 'function_call_output'
        ? toSpoken({ role: 'assistant', content: toldResult(textOf(item.output)) }, path)
        : []
    }),
  ]
}

/** Object of a response, as far as it has come. */
export function toResponse(
  { path, createdAt }: Begun,
  { model, instructions, previous_response_id: previous, user }: Partial<CreateResponse>,
  {
    status,
    output,
    usage,
    error,
  }: {
    status: StoredAnswer['status']
    output: OutputItem[]
    usage?: Answered['usage']
    error?: Pick<OpenAiError, 'message'>
  },
) {
  return {
    id: `resp_${path.message_id}`,
    object: 'response',
    created_at: createdAt,
    status,
    background: false,
    error: error ? { code: 'server_error', message: error.message } : null,
    incomplete_details: null,
    instructions: instructions ?? null,
    max_output_tokens: null,
    model: model ?? path.agent_id,
    output,
    parallel_tool_calls: true,
    previous_response_id: previous ? `resp_${previous}` : null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: usage ? toUsage(usage) : null,
    user: user ?? null,
    metadata: {},
    conversation: { id: `conv_${path.chat_id}` },
    docent: path,
  }
}

const toUsage = (usage: Answered['usage']) => ({
  input_tokens: usage.input_tokens,
  input_tokens_details: { cached_tokens: usage.cached_input_tokens },
  output_tokens: usage.output_tokens,
  output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
  total_tokens: usage.input_tokens + usage.output_tokens,
})
