import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { sendFile } from '../../drive/drive.ts'
import { explain } from '../../platform/errors.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import type { SentFile } from '../answers/live-answer.ts'

/** Limit of the server for one question. */
export const MOST_FILES = 20

export interface Attachment {
  key: number
  file: File
  state: 'sending' | 'done' | 'failed'
  /** Share sent, 0 to 1. */
  progress: number
  /** Id of the finished upload. */
  id: string | null
  /** Reason of the failure, and what to do about it. */
  reason: string | null
}

let lastKey = 0

/** Files attached to the next question. They are uploaded at once, so that asking does not wait. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<Attachment[]>([])
  const sending = useRef(new Map<number, AbortController>())
  useEffect(() => {
    const all = sending.current
    return () => {
      for (const abort of all.values()) abort.abort()
    }
  }, [])

  const change = (key: number, fields: Partial<Attachment>) =>
    setAttachments((all) => all.map((one) => (one.key === key ? { ...one, ...fields } : one)))

  async function send({ key, file }: Attachment) {
    const abort = new AbortController()
    sending.current.set(key, abort)
    change(key, { state: 'sending', progress: 0, reason: null })
    try {
      const onProgress = (progress: number) => change(key, { progress })
      const id = await sendFile(file, { signal: abort.signal, onProgress })
      change(key, { state: 'done', progress: 1, id })
    } catch (error) {
      if (!abort.signal.aborted) change(key, { state: 'failed', reason: explain(error) })
    } finally {
      sending.current.delete(key)
    }
  }

  return {
    attachments,
    /** Uploaded files, as a question refers to them. */
    sent: attachments.filter(({ state }) => state === 'done').map(toSentFile),
    isSending: attachments.some(({ state }) => state === 'sending'),
    hasFailed: attachments.some(({ state }) => state === 'failed'),
    add(files: Iterable<File>) {
      const room = MOST_FILES - attachments.length
      const given = [...files]
      if (given.length > room) toast(t`A question takes at most ${MOST_FILES} files.`, { isError: true })
      const added = given
        .slice(0, Math.max(0, room))
        .map((file): Attachment => ({ key: ++lastKey, file, state: 'sending', progress: 0, id: null, reason: null }))
      setAttachments((all) => [...all, ...added])
      for (const one of added) unawaited(send(one))
    },
    retry: (attachment: Attachment) => unawaited(send(attachment)),
    remove(key: number) {
      sending.current.get(key)?.abort()
      setAttachments((all) => all.filter((one) => one.key !== key))
    },
    clear: () => setAttachments([]),
    restore: setAttachments,
  }
}

const toSentFile = ({ id, file }: Attachment): SentFile => ({
  id: id!,
  file_name: file.name,
  media_type: file.type,
  size_bytes: file.size,
})
