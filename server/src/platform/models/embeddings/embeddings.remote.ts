import { lazy } from '../../concurrency/lazy.ts'
import { unreadableError } from '../failures/provider-failures.ts'
import { withRetries } from '../failures/retries.ts'
import type { EmbeddingModel } from '../model.ts'
import type { ModelProvider } from '../model-provider.ts'
import { askEndpoint, endpointOf } from '../openai-endpoint.ts'
import { timeoutError } from '../with-limits.ts'
import { embeddingPrompt } from './embedding-prompts.ts'
import { toVector } from './vectors.ts'

/** Texts in one request, and requests at a time of one call. */
const BATCH_SIZE = 64
const CONCURRENCY = 4
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

type EmbedBatch = (texts: string[], purpose: 'query' | 'document', signal: AbortSignal) => Promise<unknown[]>

/** Embeddings of a provider over the network: in batches, a few at a time, tried again where it may help. */
export function createRemoteEmbedding({
  id,
  provider: given,
  model,
  timeoutMs,
}: {
  id: string
  provider: ModelProvider
  model: string
  /** Limit for one request. */
  timeoutMs: number
}): EmbeddingModel {
  const provider = { ...given, chosenIn: 'under Settings → Models or in DOCENT_EMBEDDING_MODEL' }
  const embedBatch = provider.kind === 'google' ? googleBatch(provider, model) : openaiBatch(provider, model)

  async function embedInTime(texts: string[], purpose: 'query' | 'document', signal: AbortSignal) {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const vectors = await embedBatch(texts, purpose, AbortSignal.any([signal, limit]))
      if (vectors.length !== texts.length) throw unreadableError(provider, 'another number of vectors than texts')
      return vectors.map((vector) => toVector(vector) ?? failUnreadable())
    } catch (error) {
      signal.throwIfAborted()
      if (!limit.aborted) throw error
      throw timeoutError(
        `${provider.label} sent no vectors within ${timeoutMs / 1000} s`,
        'DOCENT_MODEL_FIRST_TOKEN_TIMEOUT',
      )
    }
  }

  function failUnreadable(): never {
    throw unreadableError(provider, 'something that is no vector')
  }

  return {
    id,
    async embed(texts, { purpose, signal }) {
      const prompt = embeddingPrompt(model, purpose)
      // Providers refuse an empty text.
      const inputs = texts.map((text) => prompt + (text.trim() ? text : ' '))
      const batches = Array.from({ length: Math.ceil(inputs.length / BATCH_SIZE) }, (_, index) => index)
      const results: Float32Array[][] = []
      const stop = new AbortController()
      const either = AbortSignal.any([signal, stop.signal])
      const worker = async () => {
        for (let index = batches.shift(); index !== undefined; index = batches.shift()) {
          const batch = inputs.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE)
          results[index] = await withRetries(() => embedInTime(batch, purpose, either), { signal: either })
        }
      }
      try {
        await Promise.all(Array.from({ length: CONCURRENCY }, worker))
      } catch (error) {
        // The other batches are of no use any more.
        stop.abort(error)
        signal.throwIfAborted()
        throw error
      }
      return results.flat()
    },
  }
}

function openaiBatch(provider: ModelProvider, model: string): EmbedBatch {
  const url = endpointOf(provider, '/embeddings')
  return async (texts, _purpose, signal) => {
    // Base64 costs a tenth of parsing numbers, but not every server knows it.
    const encoding = provider.kind === 'openai' && { encoding_format: 'base64' }
    const body = JSON.stringify({ model, input: texts, ...encoding })
    const answer = await askEndpoint(provider, model, url, {
      contentType: 'application/json',
      body,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    })
    return inOrder(answer) ?? Promise.reject(unreadableError(provider, 'no list of vectors'))
  }
}

function inOrder(answer: unknown): unknown[] | undefined {
  const { data } = (answer ?? {}) as { data?: { index?: number; embedding?: unknown }[] }
  if (!Array.isArray(data)) return undefined
  return data
    .map((item, position) => ({ at: item?.index ?? position, embedding: item?.embedding }))
    .sort((a, b) => a.at - b.at)
    .map((item) => item.embedding)
}

function googleBatch(provider: ModelProvider, model: string): EmbedBatch {
  const vendor = lazy(async () => (await import('../ai-sdk/ai-sdk.vendors.ts')).loadGoogleEmbedding(provider, model))
  // The second generation takes the purpose in the text, as `embeddingPrompt` puts it there.
  const takesTaskType = !model.includes('embedding-2')
  return async (values, purpose, abortSignal) => {
    try {
      const taskType = purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
      const providerOptions = takesTaskType ? { google: { taskType } } : undefined
      const { embeddings } = await (await vendor.get()).doEmbed({ values, abortSignal, providerOptions })
      return embeddings
    } catch (error) {
      abortSignal.throwIfAborted()
      const { fromAiSdkError } = await import('../ai-sdk/ai-sdk.errors.ts')
      throw fromAiSdkError(error, provider, model)
    }
  }
}
