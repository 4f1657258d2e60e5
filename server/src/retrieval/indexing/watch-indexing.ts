import type { Db, Writes } from '../../db.ts'
import {
  type IndexingRequest,
  type IndexingStage,
  isIndexingWanted,
  noteProgress,
  noteStage,
  onStopped,
} from '../../drive/drive.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import type { TaskContext } from '../../queue/worker.ts'

/** Most files are done before the first look: they cost no write. */
const LOOK_MS = 1_000
/** Looks without news that go by before the database is asked whether the work is still wanted. */
const QUIET_LOOKS = 3

/** The file was deleted, asked for again, or its indexing was cancelled. */
class IndexingStoppedError extends Error {
  override name = 'IndexingStoppedError'
}

export interface IndexingWatch {
  /** Aborts when the task's does, and soon after nobody wants the work any more. */
  signal: AbortSignal
  isStopped(): boolean
  /** Says how far it is: pages while the file is read, passages after that. Costs nothing. */
  progress(stage: IndexingStage, done: number, total: number | null): void
  close(): void
}

/** Writes down once a second how far the work on a file is, if there is news, and ends it once nobody wants it. */
export function watchIndexing(
  { db, writes, pubsub }: { db: Db; writes: Writes; pubsub: PubSub },
  { folderId, ...request }: IndexingRequest & { folderId: string },
  { organizationId, attempt, signal }: TaskContext,
): IndexingWatch {
  const stop = new AbortController()
  let latest: Parameters<IndexingWatch['progress']> | undefined
  let isLooking = false
  let quiet = 0

  async function isWanted(isAsked: boolean): Promise<boolean> {
    if (latest) {
      const [stage, done, total] = latest
      latest = undefined
      quiet = 0
      const progress = { stage, done, total, attempt, reason_code: null }
      return writes.commit(async (tx) => {
        await noteStage(pubsub, tx, { organizationId, folderId, dataSourceId: request.dataSourceId })
        return noteProgress(tx, organizationId, request, progress)
      })
    }
    if (!isAsked && ++quiet < QUIET_LOOKS) return true
    quiet = 0
    return isIndexingWanted(db, organizationId, request)
  }

  function look(isAsked: boolean): void {
    if (isLooking) return
    isLooking = true
    isWanted(isAsked)
      .then((wanted) => wanted || stop.abort(new IndexingStoppedError('nobody wants the file indexed any more')))
      // The next look says it; what cannot be written for good fails the work itself.
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }

  const timer = setInterval(() => look(false), LOOK_MS)
  timer.unref()
  const unsubscribe = onStopped(pubsub, (ids) => ids.includes(request.dataSourceId) && look(true))
  return {
    signal: AbortSignal.any([signal, stop.signal]),
    isStopped: () => stop.signal.aborted && !signal.aborted,
    progress(...news) {
      // A new title leaves the file as it is meanwhile.
      if (!request.onlyTitle) latest = news
    },
    close() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}
