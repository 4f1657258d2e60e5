import { ModelError } from '../failures/model.errors.ts'
import { unreadableError } from '../failures/provider-failures.ts'
import type { RerankModel } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import { askEndpoint, endpointOf } from '../openai-endpoint.ts'
import { readScores } from './read-scores.ts'

const MAX_ANSWER_BYTES = 1024 * 1024

interface EndpointReranker {
  id: string
  provider: ModelProvider
  /** Absent for a server that serves one model and speaks Text Embeddings Inference's form. */
  model: string | undefined
}

/**
 * A model behind `/rerank`: with a model's name in the form that Cohere, Jina, vLLM and others share, without one in that
 * of Text Embeddings Inference. An answer that does not give each text one score is not used.
 */
export function createRerankEndpoint({ id, provider, model }: EndpointReranker): RerankModel {
  const url = endpointOf(provider, new URL(provider.baseUrl).pathname.endsWith('/rerank') ? '' : '/rerank')

  async function ask(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const answer = await askEndpoint(provider, model ?? 'of its own', url, {
      contentType: 'application/json',
      body: JSON.stringify(
        model === undefined
          ? { query, texts, truncate: true }
          : { model, query, documents: texts, top_n: texts.length },
      ),
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    })
    const results = model === undefined ? answer : (answer as { results?: unknown } | undefined)?.results
    const scores = readScores(results, model === undefined ? 'score' : 'relevance_score', texts.length)
    if (typeof scores === 'string') throw unreadableError(provider, scores)
    return scores
  }

  return {
    id,
    score: (query, texts, { signal }) =>
      ask(query, texts, signal).catch((error) => {
        // A connection that was kept too long is no sign of trouble. For all else a search does not wait.
        if (error instanceof ModelError && error.reason === 'unreachable' && error.isRetryable)
          return ask(query, texts, signal)
        throw error
      }),
  }
}
