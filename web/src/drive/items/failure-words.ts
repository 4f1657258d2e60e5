import type { DataSource } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { LANGUAGE } from '../../platform/language.ts'

/**
 * Sentence about why a file could not be read. In English it is the server's, which says more; in other languages that
 * of its code, and the server's where there is none.
 */
export const failureInWords = ({
  indexing,
  status_reason,
}: Pick<DataSource, 'indexing' | 'status_reason'>): string | null =>
  (LANGUAGE !== 'en' && FAILURES[indexing?.reason_code ?? '']?.()) || status_reason

/** Explanations by `reason_code`: docs/errors.md. */
const FAILURES: Record<string, () => string> = {
  ENCRYPTED: () => t`The file is password-protected. Upload a copy without one.`,
  EMPTY: () => t`The file holds no text.`,
  NO_TEXT: () => t`No text was recognised in it. Upload a sharper scan or picture, or the text itself.`,
  TOO_LARGE: () => t`The file is too large. Split it, and upload its parts.`,
  DAMAGED: () => t`The file is damaged. Open it in its program, save it again and upload that.`,
  CONVERT_FIRST: () =>
    t`This format is not read. Save the file in a newer format, such as DOCX, XLSX, PPTX or PDF, and upload that.`,
  UNKNOWN_FORMAT: () => t`This format is not read. Upload the file as PDF, DOCX or text.`,
  NO_SPEECH_MODEL: () => t`It is a recording, and no transcription model is set. Ask an admin of your workspace.`,
  NOT_TRANSCRIBED: () => t`The recording could not be transcribed.`,
  QUOTA_EXCEEDED: () => t`A quota is used up.`,
  TIMEOUT: () => t`It took too long to read the file. Split it, and upload its parts.`,
  MEMORY: () => t`It took too much memory to read the file. Split it, and upload its parts.`,
  CRASHED: () => t`The file is damaged. Open it in its program, save it again and upload that.`,
  CANCELLED: () => t`Indexing was cancelled.`,
  ENTRIES_LEFT_OUT: () => t`Some entries of the archive were left out.`,
  PROCESS_ENDED: () => t`The server ended several times while it read the file. Index it again.`,
  INTERNAL_ERROR: () => t`The server failed while it read the file. Index it again.`,
}
