import { ModelError, ModelNotAvailableError } from './failures/model.errors.ts'
import { unreadableError } from './failures/provider-failures.ts'
import type { ModelProvider } from './model-provider.ts'
import { askEndpoint, endpointOf } from './openai-endpoint.ts'

const PATIENCE_MS = 60_000
const MAX_ANSWER_BYTES = 1024 * 1024

/** A recording. Providers tell its format by the end of the file's name. */
export interface Recording {
  content: Buffer
  fileName: string
  mediaType: string
}

export interface Transcriber {
  /** Writes down what is said. @throws ModelError, or the signal's reason */
  transcribe(recording: Recording, signal: AbortSignal): Promise<string>
}

export const noTranscription = (label: string) =>
  new ModelNotAvailableError(
    `${label} writes down no speech. Take a model of OpenAI, or of an OpenAI-compatible server, such as openai/whisper-1`,
  )

/** Client of `/audio/transcriptions`, which OpenAI and servers that are compatible with it have. @throws ModelNotAvailableError */
export function createTranscriber(provider: ModelProvider, model: string): Transcriber {
  if (provider.kind !== 'openai' && provider.kind !== 'openai-compatible') throw noTranscription(provider.label)
  const url = endpointOf(provider, '/audio/transcriptions')

  async function ask({ content, fileName, mediaType }: Recording, signal: AbortSignal): Promise<string> {
    const form = new FormData()
    form.set('model', model)
    form.set('response_format', 'json')
    form.set('file', new Blob([new Uint8Array(content)], { type: mediaType }), fileName)
    const encoded = new Response(form)
    const answer = await askEndpoint(provider, model, url, {
      contentType: encoded.headers.get('content-type')!,
      body: new Uint8Array(await encoded.arrayBuffer()),
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    })
    const said = (answer as { text?: unknown } | undefined)?.text
    if (typeof said !== 'string') throw unreadableError(provider, 'no text')
    return said.trim()
  }

  return {
    async transcribe(recording, signal) {
      const limit = AbortSignal.timeout(PATIENCE_MS)
      try {
        return await ask(recording, AbortSignal.any([signal, limit]))
      } catch (error) {
        signal.throwIfAborted()
        if (!limit.aborted) throw error
        const words = `${provider.label} wrote down nothing within ${PATIENCE_MS / 1000} s`
        throw new ModelError('timeout', words, { isRetryable: true })
      }
    },
  }
}
