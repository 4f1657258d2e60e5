const MOST_NAMED = 10

/** Collects the problems of a sync, for its error message. */
export function createSyncProblems() {
  const named: string[] = []
  let count = 0
  return {
    add(path: readonly string[], reason: string): void {
      count++
      if (named.length < MOST_NAMED) named.push(`"${path.join('/').slice(-150)}" (${reason})`)
    },
    /** Null when nothing was left out. */
    summary(): string | null {
      if (count === 0) return null
      const rest = count > named.length ? ` and ${count - named.length} more` : ''
      return `${count} ${count === 1 ? 'item was' : 'items were'} left out: ${named.join(', ')}${rest}`
    },
  }
}

export type SyncProblems = ReturnType<typeof createSyncProblems>
