import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { lazy } from '../../concurrency/lazy.ts'
import { complaintError, cutError } from '../failures/provider-failures.ts'
import type { ModelDelta, ModelReply, ModelRequest } from '../model.ts'
import type { ModelClient, ModelProvider } from '../model-provider.ts'
import { createAiSdkAnswer } from './ai-sdk.answer.ts'
import { toPrompt, toTools } from './ai-sdk.prompt.ts'
import type { AiSdkApi, AiSdkVendor } from './ai-sdk.vendors.ts'

/**
 * A client over one of the AI SDK's providers, for vendors with an API of their own. Only its `doStream` is used: the
 * loop around it is ours. Code is loaded with the first request.
 */
export function createAiSdkClient({
  id,
  provider,
  api,
  model,
  contextTokens,
}: {
  id: string
  provider: ModelProvider
  api: AiSdkApi
  model: string
  contextTokens: number
}): ModelClient {
  const vendor = lazy<AiSdkVendor>(async () => {
    const { loadVendor } = await import('./ai-sdk.vendors.ts')
    return loadVendor(api, provider, model)
  })

  return {
    id,
    contextTokens,
    async generate(request, options) {
      const loaded = await vendor.get()
      try {
        const stream = await openStream(loaded, request, options.signal)
        return await readStream(stream, loaded.metadataName, provider, options)
      } catch (error) {
        options.signal.throwIfAborted()
        const { fromAiSdkError } = await import('./ai-sdk.errors.ts')
        throw fromAiSdkError(error, provider, model)
      }
    },
  }
}

async function openStream(vendor: AiSdkVendor, request: ModelRequest, signal: AbortSignal) {
  try {
    return await startStream(vendor, request, signal)
  } catch (error) {
    const { optionsWithoutSummaries } = vendor
    if (!optionsWithoutSummaries || !isSummaryRefusal(error)) throw error
    vendor.providerOptions = optionsWithoutSummaries
    vendor.optionsWithoutSummaries = undefined
    return startStream(vendor, request, signal)
  }
}

function isSummaryRefusal(error: unknown): boolean {
  const { statusCode, responseBody } = error as { statusCode?: number; responseBody?: string }
  return statusCode === 400 && /reasoning.summar/i.test(responseBody ?? '')
}

async function startStream(vendor: AiSdkVendor, request: ModelRequest, signal: AbortSignal) {
  const { model, metadataName, providerOptions, cacheOptions } = vendor
  const result = await model.doStream({
    prompt: toPrompt(request.messages, { vendor: metadataName, cacheOptions }),
    ...(request.tools.length > 0 && {
      tools: toTools(request.tools),
      toolChoice: { type: request.toolChoice ?? 'auto' },
    }),
    maxOutputTokens: request.maxOutputTokens,
    providerOptions,
    abortSignal: signal,
  })
  return result.stream
}

async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  metadataName: string,
  provider: ModelProvider,
  { onDeltas, onActivity }: Parameters<ModelClient['generate']>[1],
): Promise<ModelReply> {
  let batch: ModelDelta[] = []
  let flushing: NodeJS.Immediate | undefined
  const answer = createAiSdkAnswer(metadataName, (delta) => batch.push(delta))

  function handOver(): void {
    flushing = undefined
    if (batch.length === 0) return
    const deltas = batch
    batch = []
    onDeltas(deltas)
  }

  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (value.type === 'error') throw value.error
      if (!answer.take(value)) continue
      // The parts of one network read go through the stream's stages within one turn of the event loop.
      if (batch.length > 0) flushing ??= setImmediate(handOver)
      else onActivity()
    }
  } catch (error) {
    reader.cancel().catch(() => {})
    throw error
  } finally {
    clearImmediate(flushing)
    handOver()
  }
  const ending = answer.ending()
  if (ending === undefined || ending === 'interrupted') throw cutError(provider)
  if (ending === 'error') throw complaintError(provider, '', {})
  return answer.finish()
}
