import type { Finish, Renderer, Seen, Usage } from './model-protocols.ts'

/** OpenAI's Responses API, streamed: reasoning as summaries with encrypted content, text and function calls as items. */
export function responses(
  seen: Seen,
  {
    finish,
    usage,
    note,
  }: {
    finish: Finish
    usage: Usage
    note: (step: Parameters<Renderer['step']>[0]) => Seen['calls'][number] | undefined
  },
): Renderer {
  let sequence = 0
  let index = -1
  let open: 'message' | 'reasoning' | undefined
  const head = { id: 'resp_1', created_at: 1_700_000_000, model: 'scripted' }
  const frame = (type: string, rest: Record<string, unknown>) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...rest })}\n\n`
  const item = (extra: Record<string, unknown>) => ({ output_index: index, item: extra })
  const summary = () => ({ item_id: `rs_${index}`, output_index: index, summary_index: 0 })

  function close(): string {
    const was = open
    open = undefined
    if (was === 'reasoning') {
      const done = { type: 'reasoning', id: `rs_${index}`, encrypted_content: `sealed-${index}`, summary: [] }
      return frame('response.reasoning_summary_part.done', summary()) + frame('response.output_item.done', item(done))
    }
    return was ? frame('response.output_item.done', item({ type: 'message', id: `msg_${index}` })) : ''
  }

  function enter(next: 'message' | 'reasoning'): string {
    if (open === next) return ''
    const closed = close()
    open = next
    index++
    if (next === 'message') {
      return closed + frame('response.output_item.added', item({ type: 'message', id: `msg_${index}` }))
    }
    return (
      closed +
      frame('response.output_item.added', item({ type: 'reasoning', id: `rs_${index}`, encrypted_content: '' })) +
      frame('response.reasoning_summary_part.added', summary())
    )
  }

  return {
    isStream: true,
    open: () => frame('response.created', { response: head }) + frame('response.in_progress', { response: head }),
    step(step) {
      const call = note(step)
      if (typeof step === 'string') {
        return (
          enter('message') +
          frame('response.output_text.delta', { item_id: `msg_${index}`, output_index: index, delta: step })
        )
      }
      if ('reasoning' in step) {
        return (
          enter('reasoning') + frame('response.reasoning_summary_text.delta', { ...summary(), delta: step.reasoning })
        )
      }
      if (!call) return ''
      const closed = close()
      index++
      const described = { type: 'function_call', id: `fc_${index}`, call_id: call.id, name: call.name }
      return (
        closed +
        frame('response.output_item.added', item({ ...described, arguments: '' })) +
        frame('response.function_call_arguments.delta', {
          item_id: `fc_${index}`,
          output_index: index,
          delta: call.arguments,
        }) +
        frame('response.output_item.done', item({ ...described, arguments: call.arguments, status: 'completed' }))
      )
    },
    end() {
      const { input, cached, output, reasoning } = usage()
      const isWhole = finish() !== 'length'
      return (
        close() +
        frame(isWhole ? 'response.completed' : 'response.incomplete', {
          response: {
            ...head,
            incomplete_details: isWhole ? null : { reason: 'max_output_tokens' },
            usage: {
              input_tokens: input,
              input_tokens_details: { cached_tokens: cached },
              output_tokens: output,
              output_tokens_details: { reasoning_tokens: reasoning },
            },
          },
        })
      )
    },
    whole: () => ({ ...head, output: [], text: seen.text }),
  }
}
