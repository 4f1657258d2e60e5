const MOST_NAMED = 10
const MOST_KEPT = 1_000
const LONGEST_PATH = 1_000

export interface SyncProblem {
  /** Path from the root of the source. */
  path: string
  reason: string
}

/** Collects the items that a sync leaves out, and those that fewer people may read than at the source. */
export function createSyncProblems() {
  const kept: SyncProblem[] = []
  const left = createCount('was left out', 'were left out')
  const narrowed = createCount(
    'may be read by fewer people than at the source',
    'may be read by fewer people than at the source',
  )
  function note(group: ReturnType<typeof createCount>, path: readonly string[], reason: string): void {
    const problem = { path: path.join('/').slice(-LONGEST_PATH), reason }
    if (kept.length < MOST_KEPT) kept.push(problem)
    group.add(problem)
  }
  return {
    add: (path: readonly string[], reason: string): void => note(left, path, reason),
    /** Notes a file that was brought, but of which the source does not say all its readers. */
    addNarrowed: (path: readonly string[], reason: string): void => note(narrowed, path, reason),
    /** The first of them. */
    list: (): readonly SyncProblem[] => kept,
    count: () => left.count() + narrowed.count(),
    /** Number of items that were left out. */
    countLeft: left.count,
    /** A sentence for the error message; null where there is nothing to say. */
    summary: (): string | null => [left.summary(), narrowed.summary()].filter(Boolean).join('; ') || null,
  }
}

function createCount(one: string, many: string) {
  const first: SyncProblem[] = []
  let count = 0
  return {
    add(problem: SyncProblem): void {
      count++
      if (first.length < MOST_NAMED) first.push(problem)
    },
    count: () => count,
    summary(): string | null {
      if (count === 0) return null
      const named = first.map(({ path, reason }) => `"${path.slice(-150)}" (${reason})`)
      const rest = count > named.length ? ` and ${count - named.length} more` : ''
      return `${count} ${count === 1 ? `item ${one}` : `items ${many}`}: ${named.join(', ')}${rest}`
    },
  }
}

export type SyncProblems = ReturnType<typeof createSyncProblems>
