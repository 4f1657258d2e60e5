import { createTicker } from '../../../platform/concurrency/ticker.ts'
import type { Run } from '../run.ts'
import type { RunStore, RunTarget } from './run-store.ts'

const EVERY_MS = 500

/** Begins to store what a run says and shows. @returns a function that ends it */
export type StoreProgressOf = (run: Run, target: RunTarget) => () => void

/** Stores twice a second what came since: a crash then loses no more than that. */
export function createProgress(store: Pick<RunStore, 'progress'>): StoreProgressOf {
  const ticker = createTicker(EVERY_MS)
  return (run, target) => {
    let storedSeq = run.lastSeq
    let isUnderWay = false
    return ticker.add(() => {
      // While the database is slow or away writes do not pile up: the next one has all that came meanwhile.
      if (isUnderWay || run.lastSeq === storedSeq) return
      const seq = run.lastSeq
      isUnderWay = true
      const settle = (isStored: boolean) => {
        if (isStored) storedSeq = seq
        isUnderWay = false
      }
      store.progress(target, run).then(settle, () => settle(false))
    })
  }
}
