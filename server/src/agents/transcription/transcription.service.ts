import type { Caller } from '../../access/access.ts'
import type { AudioKind } from '../../content/read/audio/audio-kind.ts'
import { audioSeconds } from '../../content/read/audio/audio-seconds.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import type { Models } from '../../platform/models/models.ts'
import type { Transcriber } from '../../platform/models/transcription/transcribe.ts'
import type { QuotaService, UsageService } from '../../usage/usage.ts'
import { TranscriptionNotSetUpError } from '../agents.errors.ts'

/** Requests of one person or key: each costs the workspace money. */
const REQUESTS = { perSecond: 0.2, burst: 20 }

export interface TranscriptionOptions extends Pick<KernelParts, 'clock' | 'writes'> {
  models: Models
  createLimiter: CreateLimiter
  usage: Pick<UsageService, 'recordSpeech'>
  quotas: Pick<QuotaService, 'requireBudget'>
}

/** Speech, transcribed by the model that the workspace of a caller chose. Recordings are passed on and not kept. */
export class TranscriptionService {
  readonly #options: TranscriptionOptions
  readonly #limiter: ReturnType<CreateLimiter>

  constructor(options: TranscriptionOptions) {
    this.#options = options
    this.#limiter = options.createLimiter('transcription', REQUESTS)
  }

  async isAvailable(caller: Caller): Promise<boolean> {
    return (await this.#find(caller)) !== undefined
  }

  /** @throws TranscriptionNotSetUpError, RateLimitedError, QuotaExceededError, ModelError */
  async transcribe(
    caller: Caller,
    { content, kind }: { content: Buffer; kind: AudioKind },
    signal: AbortSignal,
  ): Promise<string> {
    const { quotas, usage, writes, clock } = this.#options
    const { organizationId, workspaceId, keyId } = caller
    const transcriber = await this.#find(caller)
    if (!transcriber) throw new TranscriptionNotSetUpError()
    await this.#limiter.take(caller.memberId ?? keyId)
    await quotas.requireBudget({ organizationId, workspaceId, keyId, virtualUserId: null })
    const recording = { content, fileName: `speech.${kind.extension}`, mediaType: kind.mediaType }
    const said = await transcriber.transcribe(recording, { signal })
    const audio = { audioSeconds: said.seconds ?? audioSeconds(content, kind), usage: said.usage }
    const used = { workspaceId, keyId, virtualUserId: null, model: transcriber.id, at: isoNow(clock), ...audio }
    await writes.commit((tx) => usage.recordSpeech(tx, organizationId, used))
    return said.text
  }

  async #find(caller: Caller): Promise<Transcriber | undefined> {
    return (await this.#options.models.of(caller)).speech()
  }
}
