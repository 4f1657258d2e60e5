import { ModelError, ModelNotAvailableError } from '../failures/model.errors.ts'
import { unreadableError } from '../failures/provider-failures.ts'
import type { ModelProvider } from '../model-provider.ts'
import type { ModelsConfig } from '../models.config.ts'
import { askEndpoint, endpointOf } from '../openai-endpoint.ts'
import { getProvider, splitModelId } from '../providers.ts'
import { toMultipart } from './multipart.ts'
import { readAnswer, type Transcription } from './read-answer.ts'

export type { Transcription } from './read-answer.ts'

const PATIENCE_MS = 60_000
const MAX_ANSWER_BYTES = 1024 * 1024
/** Segments come with their tokens: an hour has about 2 MB. */
const MAX_TIMED_ANSWER_BYTES = 32 * 1024 * 1024
/** Models that are known to tell no times; others are asked. */
const TELLS_NO_TIMES = /^gpt-.*transcribe/

/** A recording. Providers tell its format by the end of the file's name. */
export interface Recording {
  content: Buffer
  fileName: string
  mediaType: string
}

export interface TranscribeOptions {
  signal: AbortSignal
  /** Whether to ask for the times at which it is said. Default false. */
  withTimes?: boolean
  /** Default 60 s. */
  patienceMs?: number
}

export interface Transcriber {
  /** `provider/model` */
  id: string
  /** Transcribes what is said. @throws ModelError, or the signal's reason */
  transcribe(recording: Recording, options: TranscribeOptions): Promise<Transcription>
}

/**
 * Client of `/audio/transcriptions`, which OpenAI and servers that are compatible with it have. Nothing is asked yet.
 * @param own providers of the workspace that it is for
 * @throws ModelNotAvailableError for a provider without such, or one that is not there
 */
export function createTranscriber(
  config: ModelsConfig,
  { id, own = [] }: { id: string; own?: readonly ModelProvider[] },
): Transcriber {
  const { providerId, model } = splitModelId(id)
  const provider = providerId === 'builtin' ? undefined : getProvider(config, providerId, own)
  if (provider?.kind !== 'openai' && provider?.kind !== 'openai-compatible')
    throw new ModelNotAvailableError(
      `${provider?.label ?? 'Built in'} does not transcribe speech. Choose a model of OpenAI, or of an OpenAI-compatible server, such as openai/whisper-1`,
    )
  const send = createSender(provider, model)
  return {
    id,
    async transcribe(recording, { signal, withTimes = false, patienceMs = PATIENCE_MS }) {
      const limit = AbortSignal.timeout(patienceMs)
      try {
        return await send(recording, withTimes, AbortSignal.any([signal, limit]))
      } catch (error) {
        signal.throwIfAborted()
        if (!limit.aborted) throw error
        const words = `${provider.label} wrote down nothing within ${patienceMs / 1000} s`
        throw new ModelError('timeout', words, { isRetryable: true })
      }
    },
  }
}

function createSender(provider: ModelProvider, model: string) {
  const url = endpointOf(provider, '/audio/transcriptions')

  async function ask({ content, fileName, mediaType }: Recording, isTimed: boolean, signal: AbortSignal) {
    const fields: [string, string][] = isTimed
      ? [
          ['response_format', 'verbose_json'],
          ['timestamp_granularities[]', 'segment'],
        ]
      : [['response_format', 'json']]
    const answer = await askEndpoint(provider, model, url, {
      ...toMultipart([['model', model], ...fields], { name: fileName, mediaType, content }),
      maxAnswerBytes: isTimed ? MAX_TIMED_ANSWER_BYTES : MAX_ANSWER_BYTES,
      signal,
    })
    const transcription = readAnswer(answer)
    if (!transcription) throw unreadableError(provider, 'no text')
    return transcription
  }

  return async (recording: Recording, withTimes: boolean, signal: AbortSignal): Promise<Transcription> => {
    if (!withTimes || TELLS_NO_TIMES.test(model)) return ask(recording, false, signal)
    try {
      return await ask(recording, true, signal)
    } catch (error) {
      if (!isRefusalOfForm(error)) throw error
      return ask(recording, false, signal)
    }
  }
}

/** Whether a server may have refused the form of the answer: some know no times. */
const isRefusalOfForm = (error: unknown): boolean =>
  error instanceof ModelError && error.reason === 'refused' && (error.status === 400 || error.status === 422)

/**
 * The transcriber that a workspace chose; undefined where it chose none, and where the provider of the chosen one is not
 * there any more.
 */
export function createChosenTranscriber(
  config: ModelsConfig,
  { id, own }: { id: string | null; own?: readonly ModelProvider[] },
): Transcriber | undefined {
  try {
    return id === null ? undefined : createTranscriber(config, { id, own })
  } catch (error) {
    if (error instanceof ModelNotAvailableError) return undefined
    throw error
  }
}
