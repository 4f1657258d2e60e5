import { DocentError } from '@docent/sdk'
import { docent, onSignOut } from '../../access/access.ts'
import { explain, isTemporary } from '../../platform/errors.ts'
import { createStore, useStore } from '../../platform/state/store.ts'
import { unawaited } from '../../ui/unawaited.ts'
import { refreshFiles } from '../drive.queries.ts'
import { findOutcomes } from './reading.ts'
import { sendFile } from './send-file.ts'

export interface Upload {
  id: number
  folderId: string
  file: File
  /** Whether it is an archive that becomes a folder. */
  isUnpacked: boolean
  /** A `sent` file is being read; `done` and `unread` files were, the latter in vain. */
  state: 'waiting' | 'sending' | 'sent' | 'done' | 'unread' | 'failed'
  /** Id of the file in its folder, once it is sent. */
  fileId: string | null
  /** Share sent, 0 to 1. */
  progress: number
  /** Reason of the failure, and what to do about it. */
  reason: string | null
  /** Number of temporary failures. */
  attempts: number
}

const AT_ONCE = 3
/** Retries after a lost connection or a reached limit; after that the person has to retry. */
const MOST_ATTEMPTS = 5
const REFRESH_EVERY_MS = 700

const uploads = createStore<Upload[]>([])
/** Number of batches that more files may still join: their folders are being created. */
const openBatches = createStore(0)
const running = new Map<number, AbortController>()
const beginnings = new Set<() => void>()
let lastId = 0

/** Uploads into folders, in the order in which they were added. They continue while other pages are open. */
export const useUploads = (): Upload[] => useStore(uploads)

/** Whether more files may still join the uploads. */
export const useIsAdding = (): boolean => useStore(openBatches) > 0

/** Runs `add`, during which finished uploads stay: all that it adds is one batch. */
export async function addBatch(add: () => Promise<void>): Promise<void> {
  forgetFinished()
  openBatches.set((count) => count + 1)
  try {
    await add()
  } finally {
    openBatches.set((count) => count - 1)
  }
}

/** Callbacks for the start of uploads. */
export function onUploads(listener: () => void): void {
  beginnings.add(listener)
}

export function addUploads(folderId: string, files: Iterable<File>, { isUnpacked = false } = {}): void {
  const added = [...files].map(
    (file): Upload => ({
      id: ++lastId,
      folderId,
      file,
      isUnpacked,
      state: 'waiting',
      progress: 0,
      fileId: null,
      reason: null,
      attempts: 0,
    }),
  )
  if (added.length === 0) return
  forgetFinished()
  uploads.set((all) => [...all, ...added])
  for (const begin of beginnings) begin()
  startNext()
}

/** Forgets finished uploads of an earlier batch. */
function forgetFinished(): void {
  if (openBatches.get() > 0 || uploads.get().some(isOpen)) return
  uploads.set((all) => all.filter(({ state }) => state === 'failed' || state === 'unread'))
}

export const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending'

export function retryUploads(ids: number[]): void {
  const chosen = new Set(ids)
  uploads.set((all) =>
    all.map((upload) =>
      chosen.has(upload.id) && upload.state === 'failed'
        ? { ...upload, state: 'waiting', progress: 0, reason: null, attempts: 0 }
        : upload,
    ),
  )
  startNext()
}

/** Cancels and forgets all uploads. */
export function dropUploads(ids: number[]): void {
  const dropped = new Set(ids)
  for (const id of ids) running.get(id)?.abort()
  uploads.set((all) => all.filter(({ id }) => !dropped.has(id)))
}

function change(id: number, fields: Partial<Upload>): void {
  uploads.set((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)))
}

function startNext(): void {
  for (const upload of uploads.get()) {
    if (running.size >= AT_ONCE) return
    if (upload.state === 'waiting' && !running.has(upload.id)) unawaited(run(upload))
  }
}

async function run({ id, folderId, file, isUnpacked, attempts }: Upload): Promise<void> {
  const abort = new AbortController()
  running.set(id, abort)
  change(id, { state: 'sending', reason: null })
  try {
    const onProgress = (progress: number) => change(id, { progress })
    const fileId = await sendFile(file, { signal: abort.signal, onProgress })
    abort.signal.throwIfAborted()
    const document = { file_id: fileId, data_source_title: file.name, unpack: isUnpacked }
    const added = await docent().dataSources.add(folderId, document)
    change(id, { state: 'sent', progress: 1, fileId: added._id })
    unawaited(watchReading())
    refreshSoon(folderId)
  } catch (error) {
    if (!abort.signal.aborted && passes(error) && attempts + 1 < MOST_ATTEMPTS) {
      change(id, { state: 'waiting', progress: 0, attempts: attempts + 1 })
      await pause(1000 * 2 ** attempts, abort.signal)
    } else if (!abort.signal.aborted) change(id, { state: 'failed', reason: explain(error) })
  } finally {
    running.delete(id)
    startNext()
  }
}

let isWatching = false

/** Asks how far the reading of sent files is, until it has ended for each: one that failed is not done. */
async function watchReading(): Promise<void> {
  if (isWatching) return
  isWatching = true
  try {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 1.5, 5_000)) {
      const sent = uploads.get().filter(({ state }) => state === 'sent')
      if (sent.length === 0) return
      for (const [folderId, own] of Map.groupBy(sent, (upload) => upload.folderId)) await checkReading(folderId, own)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    isWatching = false
  }
}

async function checkReading(folderId: string, sent: Upload[]): Promise<void> {
  const outcomes = await findOutcomes(
    folderId,
    sent.map(({ fileId, isUnpacked }) => ({ fileId: fileId!, isUnpacked })),
  )
  for (const { id, fileId } of sent) {
    const outcome = outcomes.get(fileId!)
    if (outcome) change(id, outcome)
    if (outcome === null) dropUploads([id])
  }
}

const passes = (error: unknown) => isTemporary(error) || (error instanceof DocentError && error.code === 'RATE_LIMITED')

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}

const refreshing = new Map<string, ReturnType<typeof setTimeout>>()

/** Refreshes a folder's list after a delay, so that many finished files cause one request. */
function refreshSoon(folderId: string): void {
  if (refreshing.has(folderId)) return
  const refresh = () => {
    refreshing.delete(folderId)
    unawaited(refreshFiles(folderId))
  }
  refreshing.set(folderId, setTimeout(refresh, uploads.get().some(isOpen) ? REFRESH_EVERY_MS : 0))
}

onSignOut(() => dropUploads(uploads.get().map(({ id }) => id)))

addEventListener('beforeunload', (event) => {
  if (running.size > 0) event.preventDefault()
})
