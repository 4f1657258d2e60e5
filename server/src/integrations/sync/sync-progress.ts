/** Counts the files of a sync. `found` grows for as long as folders are still being listed. */
export function createSyncProgress() {
  let done = 0
  let found = 0
  return {
    addFound(count: number): void {
      found += count
    },
    /** Adds files that are in sync, or were left out. */
    addDone(count: number): void {
      done += count
    },
    counts: () => ({ done, total: found }),
  }
}

export type SyncProgress = ReturnType<typeof createSyncProgress>
