const MOST_NAMED = 10
const MOST_KEPT = 1_000
const LONGEST_PATH = 1_000

export interface SyncProblem {
  /** From the root of the source. */
  path: string
  reason: string
}

/** Collects the items that a sync leaves out. */
export function createSyncProblems() {
  const kept: SyncProblem[] = []
  let count = 0
  return {
    add(path: readonly string[], reason: string): void {
      count++
      if (kept.length < MOST_KEPT) kept.push({ path: path.join('/').slice(-LONGEST_PATH), reason })
    },
    /** The first of them. */
    list: (): readonly SyncProblem[] => kept,
    count: () => count,
    /** One sentence for the error message; null when nothing was left out. */
    summary(): string | null {
      if (count === 0) return null
      const named = kept.slice(0, MOST_NAMED).map(({ path, reason }) => `"${path.slice(-150)}" (${reason})`)
      const rest = count > named.length ? ` and ${count - named.length} more` : ''
      return `${count} ${count === 1 ? 'item was' : 'items were'} left out: ${named.join(', ')}${rest}`
    },
  }
}

export type SyncProblems = ReturnType<typeof createSyncProblems>
