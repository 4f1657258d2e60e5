import type { SharedPlaces } from './shared-places.ts'

/**
 * Runs it unless another living process is at the work of this name. Whoever does it twice nevertheless, because a
 * process that lives was taken for dead, must do no harm.
 * @returns whether it ran
 */
export type RunAlone = (work: string, run: () => Promise<void>) => Promise<boolean>

/** For an installation of one process. */
export const runAloneHere: RunAlone = async (_work, run) => {
  await run()
  return true
}

/** @param places of which there is one for each work */
export const runAloneAmong =
  (places: SharedPlaces): RunAlone =>
  async (work, run) => {
    const held = await places.hold(new Map([[work, 1]]))
    if (held.get(work) !== 1) return false
    try {
      await run()
    } finally {
      // What cannot be given back now is free after this process does the same again, or ends.
      await places.hold(new Map([[work, 0]])).catch(() => {})
    }
    return true
  }
