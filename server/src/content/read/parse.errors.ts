import { DomainError } from '../../platform/errors.ts'
import { LANGUAGE_NAMES } from './pictures/language-names.ts'
import type { Doubt } from './pictures/ocr-doubt.ts'

/** Code of the reason why a file could not be read; the message is for people. */
export type ParseFailure =
  | 'encrypted'
  | 'empty'
  | 'no-text'
  | 'too-large'
  | 'damaged'
  | 'convert-first'
  | 'unknown-format'
  | 'no-speech-model'
  | 'not-transcribed'
  | 'quota-exceeded'
  | 'timeout'
  | 'memory'
  | 'crashed'

/**
 * A file that cannot be read, for a reason in the file: trying again changes nothing. The message tells a person what
 * to do and becomes the file's `status_reason`. Other errors of a parse (a full disk, no process) may pass.
 */
export class ParseError extends DomainError {
  override name = 'ParseError'
  readonly code = 'FILE_NOT_READABLE'
  readonly failure: ParseFailure
  constructor(failure: ParseFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** Every sentence that a person may read about a file that failed. */
export const parseFailures = {
  encrypted: () =>
    new ParseError('encrypted', 'The file is password-protected. Save a copy without the password and upload that.'),
  empty: () => new ParseError('empty', 'The file is empty: it holds no text.'),
  imageWithoutText: () =>
    new ParseError(
      'no-text',
      'No text was found in the image. Upload a sharper or larger picture, or the text itself.',
    ),
  pagesWithoutText: () =>
    new ParseError(
      'no-text',
      'No text was found: the pages are images, and no text could be recognised in them. Upload a sharper scan, or a file with text.',
    ),
  /** @param languages those whose text is recognised */
  unsureText: (doubt: Doubt, languages: readonly string[]) =>
    new ParseError('no-text', `${describeDoubt(doubt, languages)} ${cureOf(doubt)}`),
  tooLarge: (kind: string, limitBytes: number) =>
    new ParseError(
      'too-large',
      `The file is too large: ${kind} of more than ${megabytes(limitBytes)} MB cannot be read. Split it into smaller files and upload those.`,
    ),
  imageTooLarge: (megapixels: number) =>
    new ParseError(
      'too-large',
      `The picture is too large: more than ${megapixels} megapixels. Upload a smaller version of it.`,
    ),
  expandsTooFar: (limitBytes: number) =>
    new ParseError(
      'too-large',
      `The file is too large: unpacked, it is more than ${megabytes(limitBytes)} MB. Split it into smaller files and upload those.`,
    ),
  tooManyParts: () =>
    new ParseError(
      'too-large',
      'The file is too large: it has more parts than can be read. Split it into smaller files and upload those.',
    ),
  repeatedPages: () =>
    new ParseError(
      'damaged',
      'The file is not readable as PDF: it lists more pages than it contains (damaged?). Open it in its program, save it again and upload that.',
    ),
  nestedTooDeeply: (format: string) =>
    new ParseError(
      'damaged',
      `The file is not readable as ${format}: its content is nested too deeply (damaged?). Open it in its program, save it again and upload that.`,
    ),
  /** `detail` is a few words of the library, without paths. */
  damaged: (format: string, detail?: string) =>
    new ParseError(
      'damaged',
      `The file is not readable as ${format}${detail ? `: ${detail}` : ''} (damaged?). Open it in its program, save it again and upload that.`,
    ),
  convertFirst: (what: string, to: string) =>
    new ParseError('convert-first', `${what} cannot be read. Convert it first: save it as ${to} and upload that.`),
  noSpeechModel: () =>
    new ParseError(
      'no-speech-model',
      'The file is a recording, and no transcription model is set. Have an admin choose one under Settings → Models → Defaults → Speech, and index the file again.',
    ),
  recordingTooLarge: (limitBytes: number) =>
    new ParseError(
      'too-large',
      `The recording is too large: at most ${megabytes(limitBytes)} MB are sent to the transcription provider. Split it, or save it as MP3 or M4A with 32 kbit/s, and upload that.`,
    ),
  recordingRefusedAsTooLarge: () =>
    new ParseError(
      'too-large',
      'The recording is too large for the transcription provider. Split it, or save it as MP3 or M4A with 32 kbit/s, and upload that.',
    ),
  nobodySpeaks: () =>
    new ParseError('no-text', 'No speech was recognised in the recording. Upload one with speech, or its text.'),
  notTranscribed: (reason: string) =>
    new ParseError('not-transcribed', `The recording could not be transcribed. ${reason} Then index the file again.`),
  noBudget: (reason: string) =>
    new ParseError(
      'quota-exceeded',
      `The recording was not transcribed. ${reason}. Index the file again then, or have an admin raise the quota.`,
    ),
  recordingElsewhere: () =>
    new ParseError(
      'convert-first',
      'The file is a recording, which is transcribed only in a folder. Put it into a folder, or send its text.',
    ),
  archive: () =>
    new ParseError(
      'unknown-format',
      'The file is an archive, which cannot be indexed. Unpack it and upload the files in it.',
    ),
  unknownFormat: (what?: string) =>
    new ParseError(
      'unknown-format',
      `The file is ${what ?? 'of an unknown binary format'}, in which no text can be read. Upload it as PDF, DOCX or text.`,
    ),
  timeout: (seconds: number) =>
    new ParseError(
      'timeout',
      `Reading the file took too long and was stopped after ${Math.round(seconds)} seconds. Split it into smaller files and upload those.`,
    ),
  memory: () =>
    new ParseError(
      'memory',
      'Reading the file took too much memory and was stopped. Split it into smaller files and upload those.',
    ),
  crashed: () =>
    new ParseError(
      'crashed',
      'Reading the file failed: the parser crashed (damaged?). Open it in its program, save it again and upload that.',
    ),
} satisfies Record<string, (...args: never[]) => ParseError>

function describeDoubt(doubt: Doubt, languages: readonly string[]): string {
  const known = languages.map((code) => LANGUAGE_NAMES[code] ?? code).join(', ')
  return doubt === 'unclear'
    ? `The text in the picture could not be recognised with certainty: it is unclear, or in a language that is not recognised here (only ${known}).`
    : `The text in the picture is ${LANGUAGE_NAMES[doubt.language]}, and only ${known} is recognised here: it would be stored with wrong letters.`
}

function cureOf(doubt: Doubt): string {
  const code = doubt === 'unclear' ? 'its language' : doubt.language
  const sharper = doubt === 'unclear' ? 'a sharper picture, or ' : ''
  return `Upload ${sharper}the text itself, or have ${code} added to the server's setting DOCENT_OCR_LANGUAGES and index the file again.`
}

function megabytes(bytes: number): number {
  return Math.round(bytes / (1024 * 1024))
}
