import { z } from 'zod'
import { invalidField } from '../../platform/errors.ts'
import type { Recording } from '../../platform/models/transcribe.ts'

/** Bytes of a recording: a quarter of an hour of speech, as browsers record it. */
const LARGEST = 4 * 1024 * 1024
const LONGEST = Math.ceil(LARGEST / 3) * 4

/** Bytes of a body with such a recording. */
export const LARGEST_BODY = LONGEST + 1024

const startsWith = (content: Buffer, text: string, at = 0) => content.toString('latin1', at, at + text.length) === text

/** Formats that browsers record in and providers take, by how they begin. */
const FORMATS: [extension: string, mediaType: string, isIt: (content: Buffer) => boolean][] = [
  ['webm', 'audio/webm', (content) => startsWith(content, '\x1a\x45\xdf\xa3')],
  ['ogg', 'audio/ogg', (content) => startsWith(content, 'OggS')],
  ['mp4', 'audio/mp4', (content) => startsWith(content, 'ftyp', 4)],
  ['wav', 'audio/wav', (content) => startsWith(content, 'RIFF') && startsWith(content, 'WAVE', 8)],
  ['mp3', 'audio/mpeg', (content) => startsWith(content, 'ID3') || (content[0] === 0xff && (content[1] ?? 0) >= 0xe2)],
]

/** Recording in a request: WebM, Ogg, MP4, WAV or MP3 in Base64. */
export const RecordingInBase64 = z
  .base64('must be Base64')
  .min(1)
  .max(LONGEST, `must hold at most ${LARGEST / 1024 / 1024} MiB: record less at a time`)

/** Reads the recording that a field of a request holds. @throws ValidationError for what is none */
export function readRecording(base64: string, field: string): Recording {
  const content = Buffer.from(base64, 'base64')
  const format = FORMATS.find(([, , isIt]) => isIt(content))
  if (!format) throw invalidField(field, 'must be a recording in WebM, Ogg, MP4, WAV or MP3, in Base64')
  const [extension, mediaType] = format
  return { content, fileName: `speech.${extension}`, mediaType }
}
