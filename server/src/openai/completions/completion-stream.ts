import type { StreamEvent } from '../../chats/chats.ts'
import type { AnswerWriter } from '../answer-writer.ts'
import { annotationsOf, headOf, toUsage } from './completion.ts'
import type { CreateCompletion } from './completions.schemas.ts'

/** Chunks of a chat completion, as Server-Sent Events. */
export function completionWriter({ model, stream_options }: CreateCompletion): AnswerWriter {
  let head: ReturnType<typeof headOf>
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...rest })}\n\n`
  const choice = (delta: object, finish_reason: 'stop' | null = null) => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason,
  })
  const delta = (...parts: Parameters<typeof choice>): string => chunk({ choices: [choice(...parts)] })

  function textOf(event: StreamEvent): string {
    if (event.type === 'reasoning') return delta({ reasoning_content: event.text })
    if (event.type === 'response') return delta({ content: event.text })
    // Proxies and clients that wait see that the agent is at work.
    return event.type === 'ping' || event.type === 'live_update' ? ': working\n\n' : ''
  }

  return {
    begin(begun) {
      head = headOf(begun, model)
      // Clients that gather the chunks keep fields of any of them.
      return chunk({ choices: [choice({ role: 'assistant', content: '', refusal: null })], docent: begun.path })
    },
    write: (events) => events.map(textOf).join(''),
    end(answered) {
      const annotations = annotationsOf(answered)
      const parts = [
        answered.rest && delta({ content: answered.rest }),
        annotations.length > 0 && delta({ annotations }),
      ]
      const usage = stream_options?.include_usage && chunk({ choices: [], usage: toUsage(answered) })
      return [...parts, delta({}, 'stop'), usage].filter(Boolean).join('')
    },
    fail: (error) => `data: ${JSON.stringify({ error })}\n\n`,
  }
}
