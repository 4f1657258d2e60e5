import { z } from 'zod'
import { AUDIO_FORMATS, type AudioKind, audioKindOf } from '../../content/read/audio/audio-kind.ts'
import { invalidField } from '../../platform/errors.ts'

/** Bytes of a recording: a quarter of an hour of speech, as browsers record it. */
const LARGEST = 4 * 1024 * 1024
const LONGEST = Math.ceil(LARGEST / 3) * 4

/** Bytes of a body with such a recording. */
export const LARGEST_BODY = LONGEST + 1024

/** Recording in a request, in Base64. */
export const RecordingInBase64 = z
  .base64('must be Base64')
  .min(1)
  .max(LONGEST, `must hold at most ${LARGEST / 1024 / 1024} MiB: record less at a time`)

/** Reads the recording that a field of a request holds. @throws ValidationError for what is none */
export function readRecording(base64: string, field: string): { content: Buffer; kind: AudioKind } {
  const content = Buffer.from(base64, 'base64')
  const kind = audioKindOf(content)
  if (!kind) throw invalidField(field, `must be a recording in ${AUDIO_FORMATS}, in Base64`)
  return { content, kind }
}
