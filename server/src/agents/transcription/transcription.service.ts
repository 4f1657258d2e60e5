import type { Caller } from '../../access/access.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { ModelNotAvailableError } from '../../platform/models/failures/model.errors.ts'
import type { Models } from '../../platform/models/models.ts'
import type { Recording, Transcriber } from '../../platform/models/transcribe.ts'
import { TranscriptionNotSetUpError } from '../agents.errors.ts'

/** Requests of one person or key: each costs the workspace money. */
const REQUESTS = { perSecond: 0.2, burst: 20 }

/** Speech, written down by the model that the workspace of a caller chose. Recordings are passed on and not kept. */
export class TranscriptionService {
  readonly #models: Models
  readonly #limiter: ReturnType<CreateLimiter>

  constructor({ models, createLimiter }: { models: Models; createLimiter: CreateLimiter }) {
    this.#models = models
    this.#limiter = createLimiter('transcription', REQUESTS)
  }

  async isAvailable(caller: Caller): Promise<boolean> {
    return (await this.#find(caller)) !== undefined
  }

  /** @throws TranscriptionNotSetUpError, RateLimitedError, ModelError */
  async transcribe(caller: Caller, recording: Recording, signal: AbortSignal): Promise<string> {
    const transcriber = await this.#find(caller)
    if (!transcriber) throw new TranscriptionNotSetUpError()
    await this.#limiter.take(caller.memberId ?? caller.keyId)
    return transcriber.transcribe(recording, signal)
  }

  /** The chosen model; undefined also where its provider is not there any more. */
  async #find(caller: Caller): Promise<Transcriber | undefined> {
    const set = await this.#models.of(caller)
    const model = set.defaults.transcription
    try {
      return model === null ? undefined : set.transcriber(model)
    } catch (error) {
      if (error instanceof ModelNotAvailableError) return undefined
      throw error
    }
  }
}
