import { pino } from 'pino'
import { onTestFinished, vi } from 'vitest'
import { createLocalMembership, type Membership } from '../../../src/platform/cluster/membership/membership.ts'
import { createIds } from '../../../src/platform/ids.ts'
import { catalog, type PayloadOf, type TaskKind } from '../../../src/queue/catalog.ts'
import type { GivenUpHandlers } from '../../../src/queue/troubles/given-up.ts'
import { createSuspects } from '../../../src/queue/troubles/suspects.ts'
import { type TaskContext, type TaskHandlers, Worker, type WorkerOptions } from '../../../src/queue/worker.ts'
import { ORGANIZATION_ID } from '../database/database.ts'
import { openTestQueue, type QueueName, settle } from './queues.ts'

export const INDEX = 'retrieval.index'

const nothing = Object.fromEntries(
  Object.keys(catalog).map((kind) => [kind, async () => {}]),
) as unknown as TaskHandlers & GivenUpHandlers
export const newId = createIds()

interface WorkerTestOptions extends Pick<WorkerOptions, 'concurrency'> {
  givenUp?: Partial<GivenUpHandlers>
  membership?: Membership
}

/** A queue, and workers on it. */
export async function startWorkers(name: QueueName, opened = openTestQueue(name)) {
  const testQueue = await opened
  const { queue, db, writes, clock, lapse, reopen } = testQueue
  const ownProcess = createLocalMembership(newId)
  const enqueue = <K extends TaskKind>(kind: K, payload: PayloadOf<K>, options?: { delayMs?: number }) =>
    writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, kind, payload, options))

  /** @param options with `processes`, it works in another process than others without: to those that one is dead */
  function startWorker(
    handlers: Partial<TaskHandlers>,
    { givenUp, membership = ownProcess, ...options }: WorkerTestOptions = {},
  ) {
    const logger = pino({ level: 'silent' })
    const worker = new Worker({
      queue,
      handlers: { ...nothing, ...handlers },
      givenUp: { ...nothing, ...givenUp },
      suspects: createSuspects({ db, writes, membership, clock, logger }),
      clock,
      logger,
      ...options,
    })
    onTestFinished(() => worker.stop())
    worker.start()
    return worker
  }

  return {
    ...testQueue,
    enqueue,
    index: (generation = 1, options = {}) => enqueue(INDEX, { dataSourceId: 'x', generation }, options),
    startWorker,
    isHeld: (context: TaskContext) => writes.commit((tx) => context.isHeld(tx)),
    settle: () => settle(name),
    async pass(ms: number) {
      await lapse(ms)
      await vi.advanceTimersByTimeAsync(ms)
    },
    again: () => startWorkers(name, reopen()),
  }
}

/** A handler that works until its worker stops, whoever takes the task over, and what it was called with. */
export function hang() {
  const calls: TaskContext[] = []
  const handler = async (_payload: unknown, context: TaskContext) => {
    calls.push(context)
    await new Promise<void>((_, reject) => onTestFinished(() => reject(new Error('the test is over'))))
  }
  return { calls, handler }
}

/** A handler that waits to be let go, and what it was called with. */
export function gate() {
  const calls: TaskContext[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const handler = async (_payload: unknown, context: TaskContext) => {
    calls.push(context)
    await promise
  }
  return { calls, handler, open: resolve }
}
