import type { Answered, Begun } from '../asking.ts'
import type { OpenAiError } from '../openai-errors.ts'
import type { Attachment, Spoken } from '../spoken.ts'
import type { OutputItem } from './output-items.ts'
import type { CreateResponse, InputMessage } from './responses.schemas.ts'

type Part = Exclude<InputMessage['content'], string>[number]

/** Messages of a request, as both APIs have them. */
export function spokenOf({ input, instructions }: CreateResponse): Spoken[] {
  const items =
    typeof input === 'string' ? [{ type: 'message' as const, role: 'user' as const, content: input }] : input
  const first: Spoken[] = instructions
    ? [{ role: 'system', text: instructions, attachments: [], path: 'instructions' }]
    : []
  return [...first, ...items.flatMap((item, index) => (item.type === 'message' ? [toSpoken(item, index)] : []))]
}

function toSpoken({ role, content }: InputMessage, index: number): Spoken {
  const parts: Part[] = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
  return {
    role: role === 'developer' ? 'system' : role,
    text: parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n'),
    attachments: parts.flatMap((part) => attachmentOf(part) ?? []),
    path: `input.${index}`,
  }
}

function attachmentOf(part: Part): Attachment | undefined {
  if (part.type !== 'input_image' && part.type !== 'input_file') return undefined
  const fileName = part.type === 'input_file' && part.filename ? { fileName: part.filename } : {}
  if (part.file_id) return { kind: 'upload', id: part.file_id }
  const url = part.type === 'input_image' ? part.image_url! : (part.file_data ?? part.file_url!)
  return url.startsWith('data:') ? { kind: 'data', dataUrl: url, ...fileName } : { kind: 'url', url, ...fileName }
}

type Status = 'in_progress' | 'completed' | 'failed'

/** Object of a response, at the beginning or at the end. */
export function toResponse(
  { path, createdAt }: Begun,
  { model, instructions, previous_response_id: previous, user }: Partial<CreateResponse>,
  {
    status,
    output,
    usage,
    error,
  }: { status: Status; output: OutputItem[]; usage?: Answered['usage']; error?: OpenAiError },
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
