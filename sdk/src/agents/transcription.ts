import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/** Speech, transcribed by the model that the workspace of the key chose. Any key may ask. */
export const transcription = (transport: Transport) => ({
  /** Tells whether the workspace chose a model for speech. */
  get: (options?: CallOptions) => transport.data('GET /transcription', [], options),

  /**
   * Writes down a recording: WebM, Ogg, MP4, WAV or MP3 of at most 4 MiB, in Base64. It is not kept.
   * @throws DocentError `TRANSCRIPTION_NOT_SET_UP`, `AGENT_FAILED` with the provider's reason
   */
  create: (recording: Body<'transcription.create'>, options?: CallOptions) =>
    transport.data('POST /transcription', [], { ...options, body: recording }),
})
