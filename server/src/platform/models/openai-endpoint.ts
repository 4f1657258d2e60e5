import { connectionError } from './failures/connection-failures.ts'
import { complaintError, cutError, readComplaint, retryAfterOf } from './failures/provider-failures.ts'
import { post } from './http-client.ts'
import type { ModelProvider } from './model-provider.ts'
import { parseJson, readText } from './read-reply.ts'

interface Question {
  contentType: string
  body: string | Uint8Array
  /** Bytes of an answer that are read. */
  maxAnswerBytes: number
  signal: AbortSignal
}

/** URL of an endpoint below that of its provider. */
export function endpointOf({ baseUrl }: ModelProvider, path: string): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  return url
}

/** Headers of every request to a server of OpenAI's kind. */
export const openaiHeaders = ({ apiKey }: ModelProvider, contentType: string): Record<string, string> => ({
  'content-type': contentType,
  'user-agent': 'docent',
  ...(apiKey && { authorization: `Bearer ${apiKey}` }),
})

/**
 * Sends a body to an endpoint of OpenAI's kind, and reads its answer whole.
 * @param url from `endpointOf`, made once for all requests
 * @returns what its JSON says; undefined for an answer that is none
 * @throws ModelError for refusals and broken connections, or the signal's reason
 */
export async function askEndpoint(
  provider: ModelProvider,
  model: string,
  url: URL,
  { contentType, body, maxAnswerBytes, signal }: Question,
): Promise<unknown> {
  const headers = openaiHeaders(provider, contentType)
  const response = await post(url, { headers, body, signal, guard: provider.guard }).catch((error) => {
    signal.throwIfAborted()
    throw connectionError(provider, error)
  })
  const text = await readText(response, maxAnswerBytes)
  signal.throwIfAborted()
  const answer = parseJson(text)
  const { statusCode = 0 } = response
  if (statusCode < 200 || statusCode >= 300) {
    const retryAfterMs = retryAfterOf(response.headers)
    throw complaintError(provider, model, { ...readComplaint(answer ?? text), status: statusCode, retryAfterMs })
  }
  if (!response.complete) throw cutError(provider)
  return answer
}
