import { docent, onSignOut } from '../access/session.ts'
import { explain } from '../platform/errors.ts'
import { createStore, useStore } from '../platform/store.ts'
import { refreshFiles } from './drive.queries.ts'
import { sendFile } from './send-file.ts'

export interface Upload {
  id: number
  folderId: string
  file: File
  state: 'waiting' | 'sending' | 'failed'
  /** Share that was sent, 0 to 1. */
  progress: number
  /** Why it failed, and what to do about it. */
  reason: string | null
}

const AT_ONCE = 3

const uploads = createStore<Upload[]>([])
const running = new Map<number, AbortController>()
let lastId = 0

/** Files on their way into folders, in the order in which they were added. They go on while other pages are open. */
export const useUploads = (): Upload[] => useStore(uploads)

export function addUploads(folderId: string, files: Iterable<File>): void {
  const added = [...files].map(
    (file): Upload => ({ id: ++lastId, folderId, file, state: 'waiting', progress: 0, reason: null }),
  )
  uploads.set((all) => [...all, ...added])
  startNext()
}

export function retryUpload(id: number): void {
  change(id, { state: 'waiting', progress: 0, reason: null })
  startNext()
}

/** Stops it if it is being sent, and forgets it. */
export function dropUpload(id: number): void {
  running.get(id)?.abort()
  uploads.set((all) => all.filter((upload) => upload.id !== id))
}

function change(id: number, fields: Partial<Upload>): void {
  uploads.set((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)))
}

function startNext(): void {
  for (const upload of uploads.get()) {
    if (running.size >= AT_ONCE) return
    if (upload.state === 'waiting') void run(upload)
  }
}

async function run({ id, folderId, file }: Upload): Promise<void> {
  const abort = new AbortController()
  running.set(id, abort)
  change(id, { state: 'sending' })
  try {
    const onProgress = (progress: number) => change(id, { progress })
    const fileId = await sendFile(file, { signal: abort.signal, onProgress })
    abort.signal.throwIfAborted()
    await docent().dataSources.add(folderId, { file_id: fileId, data_source_title: file.name })
    // The list has the file before its upload goes: it is never in neither.
    await refreshFiles(folderId)
    uploads.set((all) => all.filter((upload) => upload.id !== id))
  } catch (error) {
    if (!abort.signal.aborted) change(id, { state: 'failed', reason: explain(error) })
  } finally {
    running.delete(id)
    startNext()
  }
}

onSignOut(() => {
  const all = uploads.get()
  uploads.set([])
  for (const { id } of all) running.get(id)?.abort()
})

addEventListener('beforeunload', (event) => {
  if (running.size > 0) event.preventDefault()
})
