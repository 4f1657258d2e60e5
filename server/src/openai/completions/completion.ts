import type { Answered, Begun } from '../asking.ts'
import { type Spoken, textOf, toldCall, toldResult, toSpoken } from '../spoken.ts'
import type { CreateCompletion } from './completions.schemas.ts'

/** Messages of a request, as both APIs have them. */
export const spokenOf = ({ messages }: CreateCompletion): Spoken[] =>
  messages.map((message, index) => {
    const { role, content } = message
    const parts =
      typeof content === 'string'
        ? [{ text: content }]
        : content?.map((part) => (part.type === 'file' ? part.file : part))
    const path = `messages.${index}`
    if (role === 'tool') return toSpoken({ role: 'assistant', content: toldResult(textOf(parts ?? [])) }, path)
    const calls = role === 'assistant' ? (message.tool_calls ?? []) : []
    const told = calls.map((call) => ({ text: toldCall(call.function.name, call.function.arguments) }))
    return toSpoken({ role, content: [...(parts ?? []), ...told] }, path)
  })

export const toUsage = ({ usage }: Answered) => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.input_tokens + usage.output_tokens,
  prompt_tokens_details: { cached_tokens: usage.cached_input_tokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
})

/**
 * Citations, each where the answer names it first. The standard's form here is `url_citation`, to which `file_citation`
 * is added as the Responses API has it.
 */
export const annotationsOf = ({ citations }: Answered) =>
  citations.map(({ start, end, fileId, fileName, quote, url }) => ({
    type: 'url_citation',
    url_citation: { start_index: start, end_index: end, url, title: fileName },
    file_citation: { file_id: fileId, filename: fileName, index: start, quote },
  }))

/** Fields with which every part of an answer begins. */
export const headOf = ({ path, createdAt }: Begun, model: string) => ({
  id: `chatcmpl-${path.message_id}`,
  created: createdAt,
  model,
})

export function toCompletion(answered: Answered, { model }: CreateCompletion) {
  const { reasoning, text, begun } = answered
  const message = {
    role: 'assistant',
    content: text,
    refusal: null,
    annotations: annotationsOf(answered),
    ...(reasoning && { reasoning_content: reasoning }),
  }
  return {
    ...headOf(begun, model),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: toUsage(answered),
    docent: begun.path,
  }
}
