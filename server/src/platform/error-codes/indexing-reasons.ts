import type { ErrorCode } from './error-codes.ts'
import type { ErrorDescription } from './error-description.ts'

type ReasonDescription = Pick<ErrorDescription, 'meaning' | 'cure'>

/** Reasons why a file is not indexed, or not whole, beside errors of the API: `reason_code` of its `indexing`. */
export const INDEXING_REASONS = {
  ENCRYPTED: {
    meaning: 'The file, or every file of an archive, is password-protected',
    cure: 'Upload a copy without the password',
  },
  EMPTY: { meaning: 'The file holds no text, or the archive no files', cure: 'Upload the file with its content' },
  NO_TEXT: {
    meaning: 'No text was recognised in pictures, or no speech in a recording',
    cure: 'Upload a sharper scan or a clearer recording, or the text itself',
  },
  TOO_LARGE: {
    meaning: 'The file is larger, has more parts or unpacks to more than is read',
    cure: 'Split it, and upload the parts',
  },
  DAMAGED: {
    meaning: 'The file cannot be read as the format that it claims',
    cure: 'Open it in its program, save it again and upload that',
  },
  CONVERT_FIRST: {
    meaning: 'The format is known, but its text cannot be read',
    cure: 'Save it in the format that status_reason names, and upload that',
  },
  UNKNOWN_FORMAT: {
    meaning: 'The format is not known, or it is an archive that is not read',
    cure: 'Upload it as PDF, DOCX or text; unpack an archive first',
  },
  NO_SPEECH_MODEL: {
    meaning: 'The file is a recording, and no transcription model is chosen',
    cure: 'Have an admin choose one under Settings → Models, and index the file again',
  },
  NOT_TRANSCRIBED: {
    meaning: 'The transcription model refused the recording or did not answer',
    cure: 'Do what status_reason says, and index the file again',
  },
  TIMEOUT: {
    meaning: 'Reading the file took too long and was stopped',
    cure: 'Split it, and upload the parts',
  },
  MEMORY: {
    meaning: 'Reading the file took too much memory and was stopped',
    cure: 'Split it, and upload the parts',
  },
  CRASHED: {
    meaning: 'The program that reads files crashed on it',
    cure: 'Open it in its program, save it again and upload that',
  },
  PROCESS_ENDED: {
    meaning: 'The server ended each time that it read this file',
    cure: 'Save it in another format and upload that; operators look into the log of that time',
  },
  CANCELLED: {
    meaning: 'Somebody cancelled the indexing, or the folder of an archive was deleted meanwhile',
    cure: 'Index the file again when it is to be found',
  },
  ENTRIES_LEFT_OUT: {
    meaning: 'The archive is unpacked, but for some of its files',
    cure: 'Read in status_reason which and why, and upload those one by one',
  },
} as const satisfies Record<string, ReasonDescription>

/** Public and stable, UPPER_SNAKE. One without a line in the tables is a type error. */
export type IndexingReason = keyof typeof INDEXING_REASONS | ErrorCode

/** `convert-first` as `CONVERT_FIRST`. */
export type CodeOf<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Uppercase<First>}_${CodeOf<Rest>}`
  : Uppercase<Name>
