import { onSignOut } from '../../access/access.ts'
import { createStore } from '../../platform/state/store.ts'
import { type DraftFile, draftFiles, keepDraftFiles } from './drafts.ts'

/** File attached to a question that is not asked yet. */
export interface Attachment {
  key: string
  name: string
  mediaType: string
  sizeBytes: number
  /** Its content, to be sent again; null after a reload. */
  file: File | null
  state: 'sending' | 'done' | 'failed'
  /** Share sent, 0 to 1. */
  progress: number
  /** Id of the finished upload. */
  id: string | null
  /** Time from which the server no longer has the upload, in milliseconds; null: not known. */
  expiresAt: number | null
  /** Reason of the failure, and what to do about it. */
  reason: string | null
}

/** Attachments by the keys of their drafts: they outlive the page. Those that are uploaded are kept with the draft. */
export const attachmentStore = createStore<Record<string, Attachment[]>>({})
/** Uploads under way, by the keys of their attachments. */
export const uploads = new Map<string, AbortController>()

/** Attachments of a draft that the server still has; of a draft that this page has not seen yet, those of its tab. */
export const attachmentsOf = (all: Record<string, Attachment[]>, draftKey: string): Attachment[] =>
  (all[draftKey] ?? draftFiles(draftKey).map(toAttachment)).filter(
    ({ expiresAt }) => expiresAt === null || Date.now() < expiresAt,
  )

export function setAttachments(draftKey: string, how: (now: Attachment[]) => Attachment[]): void {
  attachmentStore.set((all) => ({ ...all, [draftKey]: how(attachmentsOf(all, draftKey)) }))
  keepDraftFiles(draftKey, sentOf(attachmentsOf(attachmentStore.get(), draftKey)))
}

/** Uploaded files among these, as a question refers to them. */
export const sentOf = (attachments: Attachment[]): DraftFile[] =>
  attachments
    .filter(({ state }) => state === 'done')
    .map(({ id, name, mediaType, sizeBytes, expiresAt }) => ({
      id: id!,
      file_name: name,
      media_type: mediaType,
      size_bytes: sizeBytes,
      expiresAt,
    }))

const toAttachment = ({ id, file_name, media_type, size_bytes, expiresAt }: DraftFile): Attachment => ({
  key: id,
  name: file_name,
  mediaType: media_type,
  sizeBytes: size_bytes,
  file: null,
  state: 'done',
  progress: 1,
  id,
  expiresAt,
  reason: null,
})

onSignOut(() => {
  for (const upload of uploads.values()) upload.abort()
  attachmentStore.set({})
})
