import { responses } from './model-protocol-responses.ts'

export type ProtocolName =
  | 'chat-completions'
  | 'responses'
  | 'anthropic'
  | 'google'
  | 'embeddings'
  | 'google-embeddings'
  | 'other'

/** A part of an answer, whatever the protocol: a token of text, a token of reasoning, or a tool call. */
export type ContentStep =
  | string
  | { reasoning: string }
  | { toolCall: { id?: string; name: string; arguments: string | Record<string, unknown> } }

export interface Answer {
  /** Default: `tool-calls` after a tool call, else `stop`. */
  finishReason: 'stop' | 'length' | 'tool-calls' | 'content-filter'
  /** Default: 10 tokens in, one token out per step. */
  usage: { input: number; cached?: number; output: number; reasoning?: number }
}

/** Turns steps into the bytes of one answer; one renderer an answer, for it counts and numbers what it saw. */
export interface Renderer {
  isStream: boolean
  open(): string
  step(step: ContentStep): string
  end(): string
  /** The same answer as one JSON value. */
  whole(): unknown
}

/** Parts of an answer so far. */
export interface Seen {
  text: string
  reasoning: string
  calls: { id: string; name: string; arguments: string }[]
  steps: number
}

export function protocolOf(path: string): ProtocolName {
  if (/\/chat\/completions(\?|$)/.test(path)) return 'chat-completions'
  if (/\/responses(\?|$)/.test(path)) return 'responses'
  if (/\/embeddings(\?|$)/.test(path)) return 'embeddings'
  if (/\/messages(\?|$)/.test(path)) return 'anthropic'
  if (/:(stream)?[gG]enerateContent/.test(path)) return 'google'
  if (/:(e|batchE)mbedContents?/.test(path)) return 'google-embeddings'
  return 'other'
}

export function renderer(
  protocol: ProtocolName,
  body: { stream?: boolean; stream_options?: { include_usage?: boolean }; model?: string } | undefined,
  answer: Partial<Answer>,
): Renderer {
  const seen: Seen = { text: '', reasoning: '', calls: [], steps: 0 }
  const finish = () => answer.finishReason ?? (seen.calls.length > 0 ? 'tool-calls' : 'stop')
  const usage = () => ({ cached: 0, reasoning: 0, input: 10, output: seen.steps, ...answer.usage })
  if (protocol === 'anthropic') return anthropic(seen, finish, usage, body?.stream === true)
  if (protocol === 'responses') return responses(seen, { finish, usage, note: (step) => note(seen, step) })
  if (protocol === 'google') return google(seen, finish, usage)
  return chatCompletions(seen, finish, usage, body)
}

function note(seen: Seen, step: ContentStep): Seen['calls'][number] | undefined {
  seen.steps++
  if (typeof step === 'string') seen.text += step
  else if ('reasoning' in step) seen.reasoning += step.reasoning
  else {
    const { id, name, arguments: args } = step.toolCall
    const call = {
      id: id ?? `call_${seen.calls.length + 1}`,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    }
    seen.calls.push(call)
    return call
  }
  return undefined
}

export type Finish = () => Answer['finishReason']
export type Usage = () => Required<Answer['usage']>

function chatCompletions(
  seen: Seen,
  finish: Finish,
  usage: Usage,
  body: { stream?: boolean; stream_options?: { include_usage?: boolean }; model?: string } | undefined,
): Renderer {
  const common = { id: 'chatcmpl-1', created: 1_700_000_000, model: body?.model ?? 'scripted' }
  const head = `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk' }).slice(0, -1)},"choices":[{"index":0,"delta":`
  const frame = (delta: string, finishReason = 'null') =>
    `${head}${delta},"logprobs":null,"finish_reason":${finishReason}}]}\n\n`
  const wireUsage = () => {
    const { input, cached, output, reasoning } = usage()
    return {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    }
  }
  const wireFinish = () => finish().replace('-', '_')
  return {
    isStream: body?.stream === true,
    open: () => frame('{"role":"assistant","content":""}'),
    step(step) {
      const call = note(seen, step)
      if (typeof step === 'string') return frame(`{"content":${JSON.stringify(step)}}`)
      if ('reasoning' in step) return frame(`{"reasoning_content":${JSON.stringify(step.reasoning)}}`)
      if (!call) return ''
      const index = seen.calls.length - 1
      const middle = call.arguments.length >> 1
      const first = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
      const rest = [call.arguments.slice(0, middle), call.arguments.slice(middle)]
      return [first, ...rest.map((part) => ({ index, function: { arguments: part } }))]
        .map((piece) => frame(JSON.stringify({ tool_calls: [piece] })))
        .join('')
    },
    end() {
      const last = { ...common, object: 'chat.completion.chunk', choices: [], usage: wireUsage() }
      const told = body?.stream_options?.include_usage ? `data: ${JSON.stringify(last)}\n\n` : ''
      return `${frame('{}', `"${wireFinish()}"`)}${told}data: [DONE]\n\n`
    },
    whole: () => ({
      ...common,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: seen.text || null,
            ...(seen.reasoning && { reasoning_content: seen.reasoning }),
            ...(seen.calls.length > 0 && {
              tool_calls: seen.calls.map(({ id, ...rest }) => ({ id, type: 'function', function: rest })),
            }),
          },
          finish_reason: wireFinish(),
        },
      ],
      usage: wireUsage(),
    }),
  }
}

function anthropic(seen: Seen, finish: Finish, usage: Usage, isStream: boolean): Renderer {
  let index = -1
  let kind: 'text' | 'thinking' | undefined
  const frame = (value: Record<string, unknown> & { type: string }) =>
    `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
  const delta = (value: Record<string, unknown>) => frame({ type: 'content_block_delta', index, delta: value })
  const start = (block: Record<string, unknown>) =>
    frame({ type: 'content_block_start', index: ++index, content_block: block })
  function close(): string {
    if (!kind) return ''
    // A thinking block is signed at its end, and the signature must come back with the next request.
    const signature = kind === 'thinking' ? delta({ type: 'signature_delta', signature: `signed-${index}` }) : ''
    kind = undefined
    return signature + frame({ type: 'content_block_stop', index })
  }
  function enter(next: 'text' | 'thinking'): string {
    if (kind === next) return ''
    const closed = close()
    kind = next
    return (
      closed + start(next === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' })
    )
  }
  const stopReasons = { stop: 'end_turn', length: 'max_tokens', 'tool-calls': 'tool_use', 'content-filter': 'refusal' }
  const head = () => ({ id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null })
  const inputUsage = () => {
    const { input, cached } = usage()
    return { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 }
  }
  return {
    isStream,
    open: () =>
      frame({
        type: 'message_start',
        message: { ...head(), content: [], stop_reason: null, usage: { ...inputUsage(), output_tokens: 1 } },
      }),
    step(step) {
      const call = note(seen, step)
      if (typeof step === 'string') return enter('text') + delta({ type: 'text_delta', text: step })
      if ('reasoning' in step) return enter('thinking') + delta({ type: 'thinking_delta', thinking: step.reasoning })
      if (!call) return ''
      const middle = call.arguments.length >> 1
      return (
        close() +
        start({ type: 'tool_use', id: call.id, name: call.name, input: {} }) +
        delta({ type: 'input_json_delta', partial_json: call.arguments.slice(0, middle) }) +
        delta({ type: 'input_json_delta', partial_json: call.arguments.slice(middle) }) +
        frame({ type: 'content_block_stop', index })
      )
    },
    end: () =>
      close() +
      frame({
        type: 'message_delta',
        delta: { stop_reason: stopReasons[finish()], stop_sequence: null },
        usage: { output_tokens: usage().output },
      }) +
      frame({ type: 'message_stop' }),
    whole: () => ({
      ...head(),
      content: [
        ...(seen.reasoning ? [{ type: 'thinking', thinking: seen.reasoning, signature: 'signed-0' }] : []),
        ...(seen.text ? [{ type: 'text', text: seen.text }] : []),
        ...seen.calls.map((call) => ({ type: 'tool_use', ...call, input: JSON.parse(call.arguments) })),
      ],
      stop_reason: stopReasons[finish()],
      usage: { ...inputUsage(), output_tokens: usage().output },
    }),
  }
}

function google(seen: Seen, finish: Finish, usage: Usage): Renderer {
  const parts: unknown[] = []
  const frame = (content: unknown[], rest: Record<string, unknown> = {}, end?: string) =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: content }, index: 0, ...(end && { finishReason: end }) }], ...rest })}\r\n\r\n`
  const wireFinish = () =>
    ({ stop: 'STOP', 'tool-calls': 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' })[finish()]
  const wireUsage = () => {
    const { input, cached, output, reasoning } = usage()
    return {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + output,
    }
  }
  return {
    isStream: true,
    open: () => '',
    step(step) {
      const call = note(seen, step)
      const part = call
        ? { functionCall: { name: call.name, args: JSON.parse(call.arguments) }, thoughtSignature: `signed-${call.id}` }
        : typeof step === 'string'
          ? { text: step }
          : { text: (step as { reasoning: string }).reasoning, thought: true }
      parts.push(part)
      return frame([part])
    },
    end: () => frame([{ text: '' }], { usageMetadata: wireUsage(), modelVersion: 'scripted' }, wireFinish()),
    whole: () => ({
      candidates: [{ content: { role: 'model', parts }, finishReason: wireFinish() }],
      usageMetadata: wireUsage(),
    }),
  }
}
