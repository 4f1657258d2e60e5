import { t } from '@lingui/core/macro'
import { identity } from '../../access/access.ts'
import { sendFile } from '../../drive/drive.ts'
import { explain } from '../../platform/errors.ts'
import { useStore } from '../../platform/state/store.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { type Attachment, attachmentStore, attachmentsOf, sentOf, setAttachments, uploads } from './attachments.ts'

/** Limit of the server for one question. */
export const MOST_FILES = 20

let lastKey = 0

/**
 * Files attached to the next question. They are uploaded at once, so that asking does not wait, and stay with the draft
 * while other pages are open.
 * @param draftKey as `useDraft`
 */
export function useAttachments(draftKey: string) {
  const attachments = attachmentsOf(useStore(attachmentStore), draftKey)
  const change = (how: (now: Attachment[]) => Attachment[]) => setAttachments(draftKey, how)
  return {
    attachments,
    /** Uploaded files, as a question refers to them. */
    sent: sentOf(attachments),
    isSending: attachments.some(({ state }) => state === 'sending'),
    hasFailed: attachments.some(({ state }) => state === 'failed'),
    add(files: Iterable<File>) {
      const room = MOST_FILES - attachments.length
      const given = [...files]
      if (given.length > room) toast(t`A question takes at most ${MOST_FILES} files.`, { isError: true })
      for (const file of given.slice(0, Math.max(0, room))) {
        const key = `${++lastKey}`
        change((all) => [...all, begun(key, file)])
        unawaited(send(draftKey, key, file))
      }
    },
    retry: ({ key, file }: Attachment) => file && unawaited(send(draftKey, key, file)),
    remove(key: string) {
      uploads.get(key)?.abort()
      change((all) => all.filter((one) => one.key !== key))
    },
    clear: () => change(() => []),
    /** Puts files back that were not asked about, unless others were attached meanwhile. */
    restore: (before: Attachment[]) => change((now) => (now.length > 0 ? now : before)),
  }
}

const begun = (key: string, file: File): Attachment => ({
  key,
  name: file.name,
  mediaType: file.type,
  sizeBytes: file.size,
  file,
  state: 'sending',
  progress: 0,
  id: null,
  expiresAt: null,
  reason: null,
})

async function send(draftKey: string, key: string, file: File): Promise<void> {
  const abort = new AbortController()
  uploads.set(key, abort)
  const change = (fields: Partial<Attachment>) =>
    setAttachments(draftKey, (all) => all.map((one) => (one.key === key ? { ...one, ...fields } : one)))
  change({ state: 'sending', progress: 0, reason: null })
  try {
    const id = await sendFile(file, { signal: abort.signal, onProgress: (progress) => change({ progress }) })
    const seconds = identity()?.limits.upload_seconds
    const expiresAt = seconds === undefined ? null : Date.now() + seconds * 1000
    change({ state: 'done', progress: 1, id, expiresAt })
  } catch (error) {
    if (!abort.signal.aborted) change({ state: 'failed', reason: explain(error) })
  } finally {
    uploads.delete(key)
  }
}
