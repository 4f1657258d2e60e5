import type { SharedSemaphore } from './shared-semaphore.ts'

/**
 * Runs `run` unless another live process does the work of this name. Work must be harmless if it runs twice: a process
 * that lives may be considered dead.
 * @returns whether it ran
 */
export type RunExclusive = (work: string, run: () => Promise<void>) => Promise<boolean>

/** Runs it always: for one process. */
export const runExclusiveHere: RunExclusive = async (_work, run) => {
  await run()
  return true
}

/** @param semaphore one permit for each work */
export const runExclusiveAmong =
  (semaphore: SharedSemaphore): RunExclusive =>
  async (work, run) => {
    const held = await semaphore.hold(new Map([[work, 1]]))
    if (held.get(work) !== 1) return false
    try {
      await run()
    } finally {
      // A permit that cannot be released now is free once this process runs the same work again, or ends.
      await semaphore.hold(new Map([[work, 0]])).catch(() => {})
    }
    return true
  }
