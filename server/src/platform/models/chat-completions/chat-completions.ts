import type { IncomingMessage } from 'node:http'
import { connectionError } from '../failures/connection-failures.ts'
import { complaintError, readComplaint, retryAfterOf } from '../failures/provider-failures.ts'
import { post } from '../http-client.ts'
import type { ModelClient, ModelProvider } from '../model-provider.ts'
import { endpointOf, openaiHeaders } from '../openai-endpoint.ts'
import { parseJson, readText } from '../read-reply.ts'
import { readAnswer } from './chat-completions.read.ts'
import { chatCompletionsBody, type ServerHabits } from './chat-completions.request.ts'

const MAX_ERROR_BYTES = 64 * 1024

/**
 * The client for chat completions, as OpenAI, Ollama and every compatible server speak them. Written by hand because
 * a run pays for each token: it costs about what bare `node:http` costs (`npm run bench -- models`).
 */
export function createChatCompletionsClient({
  id,
  provider,
  model,
  contextTokens,
}: {
  id: string
  provider: ModelProvider
  model: string
  contextTokens: number
}): ModelClient {
  const url = endpointOf(provider, '/chat/completions')
  const headers = { ...openaiHeaders(provider, 'application/json'), accept: 'text/event-stream, application/json' }
  const maxTokensField = provider.kind === 'openai' ? 'max_completion_tokens' : 'max_tokens'
  // A server that refuses a field is asked without it from then on.
  let habits: ServerHabits = { asksUsage: true, reasons: true }

  return {
    id,
    contextTokens,
    async generate(request, options) {
      for (;;) {
        const asked = habits
        const body = chatCompletionsBody(request, { model, maxTokensField, ...asked })
        const response = await send(body, options.signal)
        const { statusCode = 0 } = response
        if (statusCode >= 200 && statusCode < 300) return readAnswer(response, { provider, model, ...options })
        const text = await readText(response, MAX_ERROR_BYTES)
        options.signal.throwIfAborted()
        const learnt = statusCode === 400 || statusCode === 422 ? habitsAfter(asked, text) : undefined
        if (learnt) {
          habits = learnt
          continue
        }
        throw complaintError(provider, model, {
          ...readComplaint(parseJson(text) ?? text),
          status: statusCode,
          retryAfterMs: retryAfterOf(response.headers),
        })
      }
    },
  }

  async function send(body: string, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await post(url, { headers, body, signal, guard: provider.guard })
    } catch (error) {
      signal.throwIfAborted()
      throw connectionError(provider, error)
    }
  }
}

/** Habits after a refusal; `undefined` when it is about something else, or about what was not even asked. */
function habitsAfter(asked: ServerHabits, refusal: string): ServerHabits | undefined {
  if (asked.asksUsage && refusal.includes('stream_options')) return { ...asked, asksUsage: false }
  if (asked.reasons && /tools.*reasoning_effort|reasoning_effort.*tools/s.test(refusal))
    return { ...asked, reasons: false }
  return undefined
}
