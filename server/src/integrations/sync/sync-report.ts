import { type Integration, updateIntegration } from '../integrations.store.ts'
import type { SyncProblems } from './sync-problems.ts'
import type { SyncProgress } from './sync-progress.ts'
import { SupersededError, type SyncStep } from './sync-step.ts'

const EVERY_MS = 1_000

interface Reported {
  integration: Integration
  progress: SyncProgress
  problems: SyncProblems
  step: SyncStep
  /** Ends the sync from outside. */
  signal: AbortSignal
}

/**
 * Stores every second how far a sync is. Its signal aborts when the sync counts no longer (paused, cancelled, or another
 * was asked for), so that it also ends in the middle of a long request.
 */
export function reportSync({ integration, progress, problems, step, signal }: Reported) {
  const superseded = new AbortController()
  let stored = ''
  let storing: Promise<void> = Promise.resolve()

  async function store(): Promise<void> {
    const changes = {
      progress: JSON.stringify({ ...progress.counts(), problems: problems.count() }),
      problems: JSON.stringify(problems.list()),
    }
    const now = `${changes.progress}${changes.problems.length}`
    // Written although nothing changed too: the write is what tells that the sync no longer counts.
    await step((tx) =>
      now === stored ? Promise.resolve() : updateIntegration(tx, integration.organization_id, integration.id, changes),
    )
    stored = now
  }
  function note(error: unknown): void {
    // Other errors are the database's: the next write of the sync meets them too.
    if (error instanceof SupersededError) superseded.abort(error)
  }
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    storing = store()
      .catch(note)
      .finally(() => {
        isBusy = false
      })
  }, EVERY_MS)

  return {
    signal: AbortSignal.any([signal, superseded.signal]),
    /** Stores the last figures. */
    async end(): Promise<void> {
      clearInterval(timer)
      await storing
      if (!signal.aborted) await store().catch(note)
    },
  }
}
