import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Membership } from '../cluster/membership/membership.ts'
import { isId } from '../ids.ts'
import { createSweep } from '../sweep.ts'
import type { Logger } from '../telemetry/logger.ts'

const LOOK_EVERY_MS = 600_000
/**
 * Age at which files that earlier versions left are removed: no work takes so long, and they do not name their process.
 */
const OLD_MS = 24 * 3_600_000

/** Folder for files that a process needs for a moment. */
export interface WorkFolder {
  path: string
  start(): void
  stop(): Promise<void>
}

/**
 * Folder of this process alone below `DATA_DIR/work`, named by its id; it is there once something was put into it. What
 * processes left there that were killed is removed at the start, and as soon as they are known to be dead.
 */
export function createWorkFolder({
  dataDir,
  membership,
  logger,
}: {
  dataDir: string
  membership: Pick<Membership, 'id' | 'isAlive' | 'onDeath'>
  logger: Logger
}): WorkFolder {
  const all = join(dataDir, 'work')

  async function isLeft(name: string): Promise<boolean> {
    if (name === membership.id || (await membership.isAlive(name))) return false
    if (isId(name)) return true
    const found = await stat(join(all, name)).catch(() => undefined)
    return found !== undefined && Date.now() - found.mtimeMs > OLD_MS
  }

  async function removeLeft(): Promise<number> {
    let count = 0
    for (const name of await readdir(all).catch(() => [])) {
      if (!(await isLeft(name))) continue
      await remove(name)
      count++
    }
    return count
  }

  /** The children of a killed process, which write here, end a moment after it. */
  const remove = (name: string) => rm(join(all, name), { recursive: true, force: true, maxRetries: 3 })

  const sweep = createSweep({
    what: 'files that processes were working with when they were killed',
    everyMs: LOOK_EVERY_MS,
    limit: Number.POSITIVE_INFINITY,
    step: removeLeft,
    logger,
  })
  let stopListening = () => {}

  return {
    path: join(all, membership.id),
    start() {
      // The process that deals with a death may have another folder, or cannot remove it now: the next look does that.
      stopListening = membership.onDeath((id) => remove(id).catch(() => {}))
      sweep.start()
    },
    async stop() {
      stopListening()
      await sweep.stop()
      await remove(membership.id)
    },
  }
}
