import type { Answered, Begun } from '../asking.ts'
import type { Attachment, Spoken } from '../spoken.ts'
import type { CompletionMessage, CreateCompletion } from './completions.schemas.ts'

type Part = Exclude<NonNullable<CompletionMessage['content']>, string>[number]

/** Messages of a request, as both APIs have them. */
export const spokenOf = ({ messages }: CreateCompletion): Spoken[] =>
  messages.map(({ role, content }, index) => {
    const parts: Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
    return {
      role: role === 'developer' ? 'system' : role,
      text: parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n'),
      attachments: parts.flatMap((part) => attachmentOf(part) ?? []),
      path: `messages.${index}`,
    }
  })

function attachmentOf(part: Part): Attachment | undefined {
  if (part.type === 'image_url') {
    const { image_url: url } = part
    return url.startsWith('data:') ? { kind: 'data', dataUrl: url } : { kind: 'url', url }
  }
  if (part.type !== 'file') return undefined
  const { file_id: id, file_data: dataUrl, filename } = part.file
  if (id) return { kind: 'upload', id }
  return { kind: 'data', dataUrl: dataUrl!, ...(filename && { fileName: filename }) }
}

export const usageOf = ({ usage }: Answered) => ({
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
    usage: usageOf(answered),
    docent: begun.path,
  }
}
