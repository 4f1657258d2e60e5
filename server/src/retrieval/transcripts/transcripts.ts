import { open, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AudioKind, audioKindOf } from '../../content/read/audio/audio-kind.ts'
import { audioSeconds } from '../../content/read/audio/audio-seconds.ts'
import type { Transcript } from '../../content/read/audio/transcript.ts'
import { parseFailures } from '../../content/read/parse.errors.ts'
import { type DataSource, findContentKey } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { createFairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { DomainError } from '../../platform/errors.ts'
import type { Transcription } from '../../platform/models/transcription/transcribe.ts'
import { QuotaExceededError, type QuotaService, type UsageService } from '../../usage/usage.ts'
import type { IndexingWatch } from '../indexing/watch-indexing.ts'
import { asParseError } from './as-parse-error.ts'
import type { FindSpeechModel, SpeechModel } from './speech-models.ts'
import { findOrClaim, keepTranscript, releaseClaim, renewClaim } from './transcripts.store.ts'

export interface TranscriptsOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  findSpeechModel: FindSpeechModel
  usage: Pick<UsageService, 'recordSpeech'>
  quotas: Pick<QuotaService, 'requireBudget'>
  /** Bytes of the largest recording that is sent. */
  mostBytes: number
}

/** Recordings under way in a process: each is held in memory twice while it is sent. */
const AT_ONCE = 2
/** A recording of an hour takes a provider a minute or two, and a small server of one's own many. */
const PATIENCE_MS = 30 * 60_000
const CLAIM_MS = 30_000
const RENEWED_EVERY_MS = 10_000
const WAIT_MS = 1_000
const HEAD_BYTES = 4_096

type Context = Pick<IndexingWatch, 'signal' | 'progress'>

/**
 * Writes recordings down, once for the same bytes: an attempt claims them, and what it gets is kept in the transaction
 * that counts the cost. A process that dies meanwhile loses its claim after 30 seconds.
 */
export class Transcripts {
  readonly #options: TranscriptsOptions
  readonly #sending = createFairSemaphore({ atOnce: AT_ONCE })

  constructor(options: TranscriptsOptions) {
    this.#options = options
  }

  /**
   * JSON of the `Transcript` of a file; undefined for a file that is no recording.
   * @param path its bytes @throws ParseError for a reason that another attempt does not mend
   */
  async textOf(file: DataSource, path: string, context: Context): Promise<string | undefined> {
    const kind = audioKindOf(await readHead(path))
    if (!kind) return undefined
    context.progress('transcribing', 0, null)
    const transcript = await this.#findOrMake(file, kind, path, context)
    const { text, segments } = JSON.parse(transcript) as Transcript
    if (!text && !segments?.some(({ text }) => text.trim())) throw parseFailures.nobodySpeaks()
    return transcript
  }

  async #findOrMake(file: DataSource, kind: AudioKind, path: string, context: Context): Promise<string> {
    const { writes, newId } = this.#options
    const claim = { dataSourceId: file.id, sha256: file.sha256, claim: newId() }
    for (;;) {
      context.signal.throwIfAborted()
      const found = await writes.commit((tx) =>
        findOrClaim(tx, file.organizationId, { ...claim, ...this.#claimTimes() }),
      )
      if (typeof found === 'object') return found.transcript
      if (found === 'mine') break
      await sleep(WAIT_MS, undefined, { signal: context.signal })
    }
    const renewal = setInterval(() => {
      const { until } = this.#claimTimes()
      // A renewal that fails is followed by another before the claim ends.
      writes.commit((tx) => renewClaim(tx, file.organizationId, { ...claim, until })).catch(() => {})
    }, RENEWED_EVERY_MS)
    try {
      return await this.#sending(file.organizationId, () => this.#make(file, kind, path, context), context.signal)
    } catch (error) {
      await writes.commit((tx) => releaseClaim(tx, file.organizationId, claim)).catch(() => {})
      throw error
    } finally {
      clearInterval(renewal)
    }
  }

  async #make(file: DataSource, kind: AudioKind, path: string, { signal, progress }: Context): Promise<string> {
    const { findSpeechModel, quotas, mostBytes } = this.#options
    const { organizationId } = file
    const keyId = await findContentKey(this.#options.db, organizationId, file.id)
    const model = await findSpeechModel(organizationId, keyId)
    if (!model) throw parseFailures.noSpeechModel()
    if (file.sizeBytes > mostBytes) throw parseFailures.recordingTooLarge(mostBytes)
    const { workspaceId, isOfSender } = model
    const payer = {
      workspaceId,
      keyId: isOfSender ? keyId : null,
      virtualUserId: isOfSender ? file.virtualUserId : null,
    }
    await quotas.requireBudget({ organizationId, ...payer }).catch((error: unknown) => {
      throw error instanceof QuotaExceededError ? parseFailures.noBudget(error.message) : error
    })
    const content = await readFile(path)
    const seconds = audioSeconds(content, kind)
    progress('transcribing', 0, Math.ceil(seconds))
    const said = await this.#ask(model, content, kind, signal)
    progress('transcribing', Math.ceil(seconds), Math.ceil(seconds))
    return this.#keep(file, payer, { said, seconds: said.seconds ?? seconds, model: model.transcriber.id })
  }

  async #ask({ transcriber }: SpeechModel, content: Buffer, kind: AudioKind, signal: AbortSignal) {
    const recording = { content, fileName: `recording.${kind.extension}`, mediaType: kind.mediaType }
    try {
      return await transcriber.transcribe(recording, { signal, withTimes: true, patienceMs: PATIENCE_MS })
    } catch (error) {
      throw error instanceof DomainError ? asParseError(error) : error
    }
  }

  async #keep(
    { organizationId, id: dataSourceId, sha256 }: DataSource,
    payer: { workspaceId: string; keyId: string | null; virtualUserId: string | null },
    { said, seconds, model }: { said: Transcription; seconds: number; model: string },
  ): Promise<string> {
    const { writes, usage, clock } = this.#options
    const transcript = JSON.stringify({ text: said.text, segments: said.segments } satisfies Transcript)
      .replaceAll('\\u0000', '')
      .toWellFormed()
    const at = isoNow(clock)
    await writes.commit(async (tx) => {
      const kept = { transcript, model, seconds: Math.ceil(seconds), at }
      await keepTranscript(tx, organizationId, { dataSourceId, sha256 }, kept)
      await usage.recordSpeech(tx, organizationId, { ...payer, model, audioSeconds: seconds, usage: said.usage, at })
    })
    return transcript
  }

  #claimTimes() {
    const now = this.#options.clock()
    return { now: now.toISOString(), until: new Date(now.getTime() + CLAIM_MS).toISOString() }
  }
}

/** Whether the bytes of a file are worth a look. */
export const mayBeRecording = ({ mediaType }: Pick<DataSource, 'mediaType'>): boolean =>
  /^(audio|video)\/|^application\/ogg$/.test(mediaType)

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
