import type { Kernel } from './kernel.ts'
import { createSweep, type Sweep } from './platform/sweep.ts'
import type { TaskKind } from './queue/catalog.ts'
import { releaseAllTasks } from './queue/queue.store.ts'
import { createSuspects } from './queue/suspects.ts'
import { Worker, type WorkerOptions } from './queue/worker.ts'

export interface BackgroundOptions extends Pick<WorkerOptions, 'handlers' | 'givenUp'> {
  sweeps: Sweep[]
}

/** Kinds of tasks that go on while the disk is full. */
const MAKES_ROOM = new Set<TaskKind>(['drive.purge-folder', 'drive.remove-blobs'])

/** Work in the background: a worker for the tasks of all features, sweeps, and the check of a database after a crash. */
export async function createBackground(kernel: Kernel, { handlers, givenUp, sweeps: ofFeatures }: BackgroundOptions) {
  const { config, database, room, crashCheck, logger } = kernel
  if (!database.pool) await releaseAllTasks(kernel.db)
  const suspects = createSuspects(kernel)
  const worker = new Worker({
    ...kernel,
    suspects,
    handlers,
    givenUp,
    concurrency: { 'retrieval.index': config.indexing.files },
    mayBegin: (kind) => !room?.isFull() || MAKES_ROOM.has(kind),
  })
  room?.onRoom(() => worker.look())
  const sweeps = [
    ...kernel.sweeps,
    ...ofFeatures,
    createSweep({ what: 'troubles of tasks', step: suspects.removeOld, everyMs: 3_600_000, limit: 500, logger }),
  ]

  return {
    start() {
      worker.start()
      for (const sweep of sweeps) sweep.start()
      crashCheck?.run().catch((error) => logger.error({ err: error }, 'the database was not checked'))
    },
    async stop() {
      crashCheck?.stop()
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
      await worker.stop()
    },
  }
}
