import type { Kernel } from './kernel.ts'
import { createSweep, type Sweep } from './platform/sweep.ts'
import { catalog, type TaskKind } from './queue/catalog.ts'
import { releaseAllTasks } from './queue/queue.store.ts'
import type { GivenUpHandlers } from './queue/troubles/given-up.ts'
import { createSuspects } from './queue/troubles/suspects.ts'
import { type TaskHandlers, Worker } from './queue/worker.ts'

/** Work of a feature beside its requests. */
export interface BackgroundWork {
  /** Tasks that it handles, by kind. */
  handlers?: Partial<TaskHandlers>
  /** Ends of tasks that are given up, by kind. */
  givenUp?: Partial<GivenUpHandlers>
  sweeps?: Sweep[]
  /** Runs before tasks and requests, in the order of the features. */
  start?(): Promise<void>
  /** Runs after tasks and requests, in the opposite order. */
  close?(): void | Promise<void>
}

/** Kinds of tasks that run while the disk is full. */
const MAKES_ROOM = new Set<TaskKind>(['drive.purge-folder', 'drive.remove-blobs'])

/**
 * Work in the background: a worker for the tasks that the features registered with the kernel, their sweeps, and the
 * check of a database after a crash.
 * @throws Error for a kind of task that no feature handles or ends.
 */
export async function createBackground(kernel: Kernel) {
  const { config, database, room, crashCheck, works, logger } = kernel
  if (database.kind === 'embedded') await releaseAllTasks(kernel.db)
  const suspects = createSuspects(kernel)
  const worker = new Worker({
    ...kernel,
    suspects,
    handlers: ofEveryKind<TaskHandlers>(works.map(({ handlers }) => handlers)),
    givenUp: ofEveryKind<GivenUpHandlers>(works.map(({ givenUp }) => givenUp)),
    concurrency: { 'retrieval.index': config.indexing.files },
    mayBegin: (kind) => !room?.isFull() || MAKES_ROOM.has(kind),
  })
  room?.onRoom(() => worker.look())
  const sweeps = [
    ...works.flatMap((work) => work.sweeps ?? []),
    createSweep({ what: 'troubles of tasks', step: suspects.removeOld, everyMs: 3_600_000, limit: 500, logger }),
  ]

  return {
    async start() {
      for (const work of works) await work.start?.()
      if (config.role === 'api') return
      worker.start()
      for (const sweep of sweeps) sweep.start()
      crashCheck?.run().catch((error) => logger.error({ err: error }, 'the database was not checked'))
    },
    async close() {
      crashCheck?.stop()
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
      await worker.stop()
      for (const work of [...works].reverse()) await work.close?.()
    },
  }
}

function ofEveryKind<T extends Record<TaskKind, unknown>>(parts: (Partial<T> | undefined)[]): T {
  const all: Partial<T> = Object.assign({}, ...parts)
  const missing = Object.keys(catalog).filter((kind) => !(kind in all))
  if (missing.length > 0) throw new Error(`No feature takes care of ${missing.join(', ')}`)
  return all as T
}
