import type { ClaimedTask } from './queue.ts'

/** After this long it is asked anew who waits: words that a task was enqueued may get lost. */
const FORGET_MS = 10_000

interface SharedPlacesOptions {
  places: number
  claim(limit: number, except?: string[]): Promise<ClaimedTask[]>
}

/**
 * Claims the tasks of one kind so that organizations share its places. One alone takes them all; while others wait it
 * gets no more than half of them, and if it has more, the others get places beyond them, half as many again at most.
 * Whoever is new comes before those that have their share, however long their tasks have been waiting.
 */
export function createSharedPlaces({ places, claim }: SharedPlacesOptions) {
  const half = Math.max(1, Math.floor(places / 2))
  /** Organizations besides which nobody waited when it was asked last, for each share that counts. */
  const alone: (Set<string> | undefined)[] = []
  let forgottenAt = Number.NEGATIVE_INFINITY

  async function claimBeside(held: Map<string, number>, tasks: ClaimedTask[]): Promise<void> {
    const shares = [Math.max(1, Math.floor(places / (held.size + 1))), half]
    for (const [which, share] of shares.entries()) {
      const sated = [...held].filter(([, count]) => count >= share).map(([organization]) => organization)
      const taken = held.values().reduce((sum, count) => sum + Math.min(count, half), 0)
      const room = places - taken
      if (sated.length === 0 || room <= 0) continue
      const known = alone[which]
      if (known && [...known].every((organization) => sated.includes(organization))) continue
      const found = await claim(room, sated)
      alone[which] = found.length < room ? new Set(sated) : undefined
      add(held, tasks, found)
    }
  }

  return {
    /** Tasks for the free places. `isAll`: nothing else is due. @param held running tasks by organization; counts on */
    async claim(held: Map<string, number>): Promise<{ tasks: ClaimedTask[]; isAll: boolean }> {
      const tasks: ClaimedTask[] = []
      await claimBeside(held, tasks)
      const free = places - held.values().reduce((sum, count) => sum + count, 0)
      if (free <= 0) return { tasks, isAll: false }
      const found = await claim(free)
      add(held, tasks, found)
      // It may have been one organization that took all of it.
      if (found.length === free) await claimBeside(held, tasks)
      return { tasks, isAll: found.length < free }
    },
    /** A task of this organization, or of an unknown one, may have come. */
    heard(organization: string | undefined): void {
      for (const [which, known] of alone.entries())
        if (organization === undefined || !known?.has(organization)) alone[which] = undefined
    },
    /** Something may have come that was not heard of. */
    forget(): void {
      if (performance.now() - forgottenAt < FORGET_MS) return
      forgottenAt = performance.now()
      alone.length = 0
    },
  }
}

function add(held: Map<string, number>, tasks: ClaimedTask[], found: ClaimedTask[]): void {
  tasks.push(...found)
  for (const { organizationId } of found) held.set(organizationId, (held.get(organizationId) ?? 0) + 1)
}
