import type { ClaimedTask } from './queue.ts'

/** Time after which the database is asked again who waits: a notification may have been lost. */
const FORGET_MS = 10_000

interface FairClaimsOptions {
  slots: number
  claim(limit: number, except?: string[]): Promise<ClaimedTask[]>
}

/**
 * Claims the tasks of one kind so that organizations share its slots. One alone takes them all; while others wait it gets
 * no more than half of them, and if it holds more, the others get slots beyond, half as many again at most. A new
 * organization comes before those that have their share, however long their tasks have been waiting.
 */
export function createFairClaims({ slots, claim }: FairClaimsOptions) {
  const half = Math.max(1, Math.floor(slots / 2))
  /** Organizations besides which nobody waited when it was asked last, for each share that counts. */
  const alone: (Set<string> | undefined)[] = []
  let forgottenAt = Number.NEGATIVE_INFINITY

  async function claimBeside(held: Map<string, number>, tasks: ClaimedTask[]): Promise<void> {
    const shares = [Math.max(1, Math.floor(slots / (held.size + 1))), half]
    for (const [which, share] of shares.entries()) {
      const sated = [...held].filter(([, count]) => count >= share).map(([organization]) => organization)
      const taken = held.values().reduce((sum, count) => sum + Math.min(count, half), 0)
      const room = slots - taken
      if (sated.length === 0 || room <= 0) continue
      const known = alone[which]
      if (known && [...known].every((organization) => sated.includes(organization))) continue
      const found = await claim(room, sated)
      alone[which] = found.length < room ? new Set(sated) : undefined
      add(held, tasks, found)
    }
  }

  return {
    /** Claims tasks for the free slots. `isAll`: nothing else is due. @param held running tasks by organization; updated */
    async claim(held: Map<string, number>): Promise<{ tasks: ClaimedTask[]; isAll: boolean }> {
      const tasks: ClaimedTask[] = []
      await claimBeside(held, tasks)
      const free = slots - held.values().reduce((sum, count) => sum + count, 0)
      if (free <= 0) return { tasks, isAll: false }
      const found = await claim(free)
      add(held, tasks, found)
      // It may have been one organization that took all of it.
      if (found.length === free) await claimBeside(held, tasks)
      return { tasks, isAll: found.length < free }
    },
    /** Notes that a task of this organization, or of an unknown one, may have come. */
    heard(organization: string | undefined): void {
      for (const [which, known] of alone.entries())
        if (organization === undefined || !known?.has(organization)) alone[which] = undefined
    },
    /** Notes that tasks may have come without a message. */
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
