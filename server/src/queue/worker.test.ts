import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { z } from 'zod'
import { ORGANIZATION_ID } from '../../tests/support/database.ts'
import {
  holdTimers,
  openTestQueue,
  QUEUES,
  type QueueName,
  settle,
  startHolder,
  until,
} from '../../tests/support/queues.ts'
import { createLocalMembership, type Membership } from '../platform/cluster/membership/membership.ts'
import { createIds } from '../platform/ids.ts'
import { backoffMs } from './attempt.ts'
import { catalog, type PayloadOf, type TaskKind } from './catalog.ts'
import type { GivenUpHandlers } from './troubles/given-up.ts'
import { createSuspects, MOST_DEATHS } from './troubles/suspects.ts'
import { type TaskContext, type TaskHandlers, Worker, type WorkerOptions } from './worker.ts'

const INDEX = 'retrieval.index'

// Timers are the worker's clock, too; the database goes on in real time.
beforeEach(holdTimers)

const nothing = Object.fromEntries(
  Object.keys(catalog).map((kind) => [kind, async () => {}]),
) as unknown as TaskHandlers & GivenUpHandlers
const newId = createIds()

const ofEach = (kinds: TaskKind[], make: (kind: TaskKind) => unknown) =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as never

// @ts-expect-error a kind that does not say what happens when a task is given up is none that compiles
const _incomplete: GivenUpHandlers = { 'chats.answer': async () => {} }

/** Fields of payloads, of whatever kind. */
const SOME = {
  dataSourceId: 'x',
  generation: 1,
  dataSourceIds: ['x'],
  folderId: 'x',
  integrationId: 'x',
  blobKeys: ['x'],
  reviewId: 'x',
  messageId: 'x',
  agentId: 'x',
  chatId: 'x',
  chatIds: ['x'],
  budgetTokens: 1,
  deliveryId: 'x',
  turn: 1,
}

interface WorkerTestOptions extends Pick<WorkerOptions, 'concurrency'> {
  givenUp?: Partial<GivenUpHandlers>
  membership?: Membership
}

async function start(name: QueueName, opened = openTestQueue(name)) {
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
    again: () => start(name, reopen()),
  }
}

/** A handler that works until its worker stops, whoever takes the task over, and what it was called with. */
function hang() {
  const calls: TaskContext[] = []
  const handler = async (_payload: unknown, context: TaskContext) => {
    calls.push(context)
    await new Promise<void>((_, reject) => onTestFinished(() => reject(new Error('the test is over'))))
  }
  return { calls, handler }
}

/** A handler that waits to be let go, and what it was called with. */
function gate() {
  const calls: TaskContext[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const handler = async (_payload: unknown, context: TaskContext) => {
    calls.push(context)
    await promise
  }
  return { calls, handler, open: resolve }
}

test('delays grow to ten minutes and no further', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 20].map(backoffMs)).toEqual([
    1_000, 4_000, 16_000, 64_000, 256_000, 600_000, 600_000, 600_000,
  ])
})

describe.each(QUEUES)('a worker on %s', (name) => {
  test('a task runs at once, with its payload, and is gone when it has', async () => {
    const { index, startWorker, tasks, settle } = await start(name)
    const seen: unknown[] = []
    startWorker({
      async [INDEX](payload, { organizationId, attempt, isLastAttempt }) {
        seen.push([payload, organizationId, attempt, isLastAttempt])
      },
    })
    await settle()
    await index(7)
    await until(async () => (await tasks()).length === 0)
    expect(seen).toEqual([[{ dataSourceId: 'x', generation: 7 }, ORGANIZATION_ID, 1, false]])
  })

  test('a task of a transaction that is rolled back never was', async () => {
    const { writes, queue, startWorker, tasks, settle } = await start(name)
    const { calls, handler } = gate()
    startWorker({ [INDEX]: handler })
    const failed = writes.commit(async (tx) => {
      await queue.enqueue(tx, ORGANIZATION_ID, INDEX, { dataSourceId: 'x', generation: 1 })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await settle()
    expect([calls.length, await tasks()]).toEqual([0, []])
  })

  test('a delayed task waits for its time', async () => {
    const { index, startWorker, pass, settle } = await start(name)
    const { calls, handler, open } = gate()
    startWorker({ [INDEX]: handler })
    await index(1, { delayMs: 5_000 })
    await settle()
    await pass(4_900)
    await settle()
    expect(calls).toHaveLength(0)
    await pass(200)
    await until(() => calls.length === 1)
    open()
  })

  test('a kind runs as many tasks at once as it may, the rest as places become free, in order', async () => {
    const { lapse, index, startWorker, tasks, settle } = await start(name)
    const started: number[] = []
    const gates = Array.from({ length: 7 }, gate)
    const handlers: Partial<TaskHandlers> = {
      async [INDEX]({ generation }, context) {
        started.push(generation)
        await gates[generation]!.handler({}, context)
      },
    }
    startWorker(handlers, { concurrency: { [INDEX]: 2 } })
    for (let i = 0; i < 7; i++) {
      await index(i)
      await lapse(1)
    }
    await until(() => started.length >= 2)
    await settle()
    expect([...started].sort()).toEqual([0, 1])
    gates[1]!.open()
    await until(() => started.length === 3)
    expect(started[2]).toBe(2)
    for (const { open } of gates) open()
    await until(async () => (await tasks()).length === 0)
    expect([...started].sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('a kind that is busy does not hold up the others', async () => {
    const { index, enqueue, startWorker } = await start(name)
    const { handler, open } = gate()
    const other = gate()
    startWorker({ [INDEX]: handler, 'drive.remove-blobs': other.handler }, { concurrency: { [INDEX]: 2 } })
    for (let i = 0; i < 5; i++) await index()
    await enqueue('drive.remove-blobs', { blobKeys: ['a'] })
    await until(() => other.calls.length === 1)
    open()
    other.open()
  })

  test('a task that fails is tried again, later each time, and is dead after its last attempt', async () => {
    const { index, startWorker, pass, tasks, queue, settle } = await start(name)
    const attempts: [number, boolean][] = []
    startWorker({
      async [INDEX](_payload, { attempt, isLastAttempt }) {
        attempts.push([attempt, isLastAttempt])
        throw new Error(`failure ${attempt}`)
      },
    })
    await index()
    for (let failures = 1; failures < 4; failures++) {
      await until(async () => (await tasks())[0]?.error === `failure ${failures}`)
      await settle()
      await pass(backoffMs(failures) - 100)
      await settle()
      expect(attempts).toHaveLength(failures)
      await pass(200)
      await until(() => attempts.length === failures + 1)
    }
    await until(async () => (await tasks())[0]?.state === 'dead')
    expect(attempts).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
    ])
    await pass(3_600_000)
    await settle()
    expect(attempts).toHaveLength(4)
    expect(await queue.listDead(ORGANIZATION_ID)).toEqual([
      expect.objectContaining({ kind: INDEX, attempt: 4, last_error: 'failure 4' }),
    ])
    expect(await queue.listDead('another'.padEnd(24, '0'))).toEqual([])
  })

  test('dead tasks that are revived have all their attempts again', async () => {
    const { index, startWorker, pass, tasks, queue } = await start(name)
    const attempts: number[] = []
    let isMended = false
    startWorker({
      async [INDEX](_payload, { attempt }) {
        attempts.push(attempt)
        if (!isMended) throw new Error('x')
      },
    })
    await index()
    for (let failures = 1; failures < 4; failures++) {
      await until(async () => (await tasks())[0]?.attempt === failures && (await tasks())[0]?.state === 'waiting')
      await pass(backoffMs(failures) + 1)
    }
    await until(async () => (await tasks())[0]?.state === 'dead')
    isMended = true
    expect(await queue.reviveDead('another'.padEnd(24, '0'))).toBe(0)
    expect(await queue.reviveDead(ORGANIZATION_ID)).toBe(1)
    expect(await queue.reviveDead(ORGANIZATION_ID)).toBe(0)
    await pass(60_001)
    await until(async () => (await tasks()).length === 0)
    expect(attempts).toEqual([1, 2, 3, 4, 1])
  })

  test('a payload that no longer fits its kind fails, and nothing is called with it', async () => {
    const { enqueue, startWorker, tasks } = await start(name)
    await enqueue(INDEX, { dataSourceId: 1 } as never)
    const { calls, handler } = gate()
    startWorker({ [INDEX]: handler })
    await until(async () => (await tasks())[0]?.error?.includes('dataSourceId') === true)
    expect(calls).toHaveLength(0)
  })

  test('a worker keeps its lease for as long as it works', async () => {
    const { index, startWorker, pass, tasks } = await start(name)
    const first = gate()
    const second = gate()
    startWorker({ [INDEX]: first.handler })
    await index()
    await until(() => first.calls.length === 1)
    startWorker({ [INDEX]: second.handler })
    for (let i = 0; i < 10; i++) {
      await pass(3_000)
      await until(async () => (await tasks())[0]!.leaseMs === 12_000)
    }
    expect(second.calls).toHaveLength(0)
    expect(first.calls[0]!.signal.aborted).toBe(false)
    first.open()
    await until(async () => (await tasks()).length === 0)
  })

  test('a worker that no longer answers loses its task, and must write nothing more', async () => {
    const { index, startWorker, lapse, isHeld, tasks, settle } = await start(name)
    const lost = gate()
    const taker = gate()
    startWorker({ [INDEX]: lost.handler })
    await index()
    await until(() => lost.calls.length === 1)
    // No timer of the first worker runs: as if its process stood still.
    await lapse(12_001)
    startWorker({ [INDEX]: taker.handler })
    await until(() => taker.calls.length === 1)
    expect([await isHeld(lost.calls[0]!), await isHeld(taker.calls[0]!)]).toEqual([false, true])
    expect(taker.calls[0]!.attempt).toBe(2)

    // The first one comes back and thinks it has finished: the task is still the other's.
    lost.open()
    await settle()
    expect(await tasks()).toMatchObject([{ state: 'running', attempt: 2 }])
    taker.open()
    await until(async () => (await tasks()).length === 0)
  })

  test('a worker that lost its task hears of it with its next sign of life', async () => {
    const { index, startWorker, lapse } = await start(name)
    const lost = gate()
    const taker = gate()
    startWorker({ [INDEX]: lost.handler })
    await index()
    await until(() => lost.calls.length === 1)
    await lapse(12_001)
    startWorker({ [INDEX]: taker.handler })
    await until(() => taker.calls.length === 1)
    await vi.advanceTimersByTimeAsync(3_000)
    await until(() => lost.calls[0]!.signal.aborted)
    expect(taker.calls[0]!.signal.aborted).toBe(false)
    lost.open()
    taker.open()
  })

  test('a worker that stops interrupts its tasks, which count no attempt and go on with the next', async () => {
    const { index, startWorker, tasks } = await start(name)
    for (let restarts = 0; restarts < 6; restarts++) {
      if (restarts === 0) await index()
      let signal: AbortSignal | undefined
      const worker = startWorker({
        async [INDEX](_payload, context) {
          signal = context.signal
          await new Promise((_, reject) =>
            context.signal.addEventListener('abort', () => reject(context.signal.reason)),
          )
        },
      })
      await until(() => signal !== undefined)
      await worker.stop()
      expect(signal!.aborted).toBe(true)
      expect(await tasks()).toMatchObject([{ state: 'waiting', attempt: 0, leaseMs: null }])
    }
    const attempts: number[] = []
    startWorker({ [INDEX]: async (_payload, { attempt }) => void attempts.push(attempt) })
    await until(async () => (await tasks()).length === 0)
    expect(attempts).toEqual([1])
  })

  test('a worker that stops begins nothing more, not even what it was just claiming', async () => {
    const { index, startWorker, tasks, settle } = await start(name)
    const { calls, handler } = gate()
    for (let i = 0; i < 3; i++) await index()
    const worker = startWorker({ [INDEX]: handler })
    await worker.stop()
    await settle()
    expect(calls).toHaveLength(0)
    expect((await tasks()).map(({ state, attempt }) => [state, attempt])).toEqual([
      ['waiting', 0],
      ['waiting', 0],
      ['waiting', 0],
    ])
  })

  test('what a process held that was killed is done by another', async () => {
    const before = name === 'pg-boss' ? await start(name) : undefined
    const holder = await startHolder(name, before?.place)
    expect(await holder.says()).toBe('ready')
    await before?.index()
    expect(await holder.says()).toBe('holds 1')
    await holder.kill()
    const { startWorker, lapse, tasks } = before ?? (await start(name, openTestQueue(name, holder.place)))
    await lapse(12_001)
    const attempts: number[] = []
    startWorker({ [INDEX]: async (_payload, { attempt }) => void attempts.push(attempt) })
    await until(async () => (await tasks()).length === 0)
    expect(attempts).toEqual([2])
  })

  test('a task that takes its process down every time is given up after eight, and whoever waits for it is told', async () => {
    const { index, startWorker, lapse, tasks, settle } = await start(name)
    await index(9)
    for (let deaths = 0; deaths < MOST_DEATHS; deaths++) {
      const { calls, handler } = hang()
      startWorker({ [INDEX]: handler }, { membership: createLocalMembership(newId), concurrency: { [INDEX]: 1 } })
      await until(() => calls.length === 1)
      expect(calls[0]).toMatchObject({ attempt: deaths + 1, isLastAttempt: false })
      await settle()
      await lapse(12_001)
    }
    const { calls, handler } = gate()
    const told: unknown[] = []
    startWorker(
      { [INDEX]: handler },
      { givenUp: { [INDEX]: async (payload, _context, cause) => void told.push([payload, cause]) } },
    )
    await until(async () => (await tasks())[0]?.state === 'dead')
    expect(calls).toHaveLength(0)
    expect(told).toEqual([[{ dataSourceId: 'x', generation: 9 }, 'crashed']])
    expect((await tasks())[0]!.error).toBe('the server ended again and again while it was at work on this task')
  })

  test('a task whose worker only stood still is never given up for that', async () => {
    const { index, startWorker, lapse, tasks, settle } = await start(name)
    await index()
    for (let lapses = 0; lapses < MOST_DEATHS + 3; lapses++) {
      const { calls, handler } = hang()
      startWorker({ [INDEX]: handler }, { concurrency: { [INDEX]: 1 } })
      await until(() => calls.length === 1)
      await settle()
      await lapse(12_001)
    }
    startWorker({})
    await until(async () => (await tasks()).length === 0)
  })

  test('a failure counts by itself, and a death of the process leaves all failures to come', async () => {
    const { index, startWorker, lapse, pass, tasks, settle } = await start(name)
    await index()
    for (let deaths = 0; deaths < 2; deaths++) {
      const { calls, handler } = hang()
      startWorker({ [INDEX]: handler }, { membership: createLocalMembership(newId), concurrency: { [INDEX]: 1 } })
      await until(() => calls.length === 1)
      await settle()
      await lapse(12_001)
    }
    const seen: [number, boolean][] = []
    const given: unknown[] = []
    startWorker(
      {
        async [INDEX](_payload, { attempt, isLastAttempt }) {
          seen.push([attempt, isLastAttempt])
          throw new Error('no')
        },
      },
      { givenUp: { [INDEX]: async (_payload, _context, cause) => void given.push(cause) } },
    )
    for (let failures = 1; failures < 4; failures++) {
      await until(async () => seen.length === failures && (await tasks())[0]?.state === 'waiting')
      await pass(backoffMs(failures) + 1)
    }
    await until(async () => (await tasks())[0]?.state === 'dead')
    expect(seen).toEqual([
      [3, false],
      [4, false],
      [5, false],
      [6, true],
    ])
    expect(given).toEqual(['failed'])
  })

  test('who could not be told that a task is given up is told later', async () => {
    const { enqueue, startWorker, pass, tasks } = await start(name)
    await enqueue('chats.summarize', { chatId: 'x', budgetTokens: 1 })
    let told = 0
    const failing = async () => {
      throw new Error('no')
    }
    startWorker(
      { 'chats.summarize': failing },
      {
        givenUp: {
          async 'chats.summarize'() {
            if (told++ === 0) throw new Error('the database is away')
          },
        },
      },
    )
    for (let failures = 1; failures < 3; failures++) {
      await until(async () => (await tasks())[0]?.attempt === failures && (await tasks())[0]?.state === 'waiting')
      await pass(backoffMs(failures) + 1)
    }
    await until(async () => told === 1 && (await tasks())[0]?.state === 'waiting')
    await pass(600_001)
    await until(async () => (await tasks())[0]?.state === 'dead')
    expect(told).toBe(2)
  })

  test('whoever waits for a task is told when it is given up, of whatever kind it is', async () => {
    const { enqueue, startWorker, tasks, pass } = await start(name)
    const kinds = Object.keys(catalog) as TaskKind[]
    const payloads = kinds.map((kind) => {
      const { shape } = catalog[kind].payload as z.ZodObject
      return Object.fromEntries(Object.entries(SOME).filter(([field]) => field in shape))
    })
    for (const [index, kind] of kinds.entries()) await enqueue(kind, payloads[index] as never)
    let failures = 0
    const fail = async () => {
      failures++
      throw new Error('no')
    }
    const told: Record<string, unknown[]> = {}
    const tell = (kind: TaskKind) => async (payload: unknown) => void (told[kind] ??= []).push(payload)
    startWorker(
      ofEach(kinds, () => fail),
      { givenUp: ofEach(kinds, tell) },
    )
    let expected = 0
    for (let count = 1; count <= Math.max(...kinds.map((kind) => catalog[kind].maxAttempts)); count++) {
      expected += kinds.filter((kind) => catalog[kind].maxAttempts >= count).length
      await until(async () => failures === expected && (await tasks()).every(({ state }) => state !== 'running'))
      await pass(backoffMs(count) + 1)
    }
    expect(told).toEqual(Object.fromEntries(kinds.map((kind, index) => [kind, [payloads[index]]])))
    expect((await tasks()).map(({ state }) => state)).toEqual(kinds.map(() => 'dead'))
  })

  test('tasks outlive a restart', async () => {
    const first = await start(name)
    await first.index(1)
    await first.lapse(1)
    await first.index(2)
    const second = await first.again()
    const seen: number[] = []
    second.startWorker(
      { [INDEX]: async ({ generation }) => void seen.push(generation) },
      { concurrency: { [INDEX]: 1 } },
    )
    await until(async () => (await second.tasks()).length === 0)
    expect(seen).toEqual([1, 2])
  })

  test('two workers share many tasks, and each task runs once', async () => {
    const { enqueue, startWorker, tasks } = await start(name)
    const seen: string[] = []
    const handlers: Partial<TaskHandlers> = {
      async 'drive.remove-blobs'({ blobKeys }) {
        seen.push(...blobKeys)
        await turn()
      },
    }
    startWorker(handlers)
    startWorker(handlers)
    await Promise.all(Array.from({ length: 200 }, (_, i) => enqueue('drive.remove-blobs', { blobKeys: [`${i}`] })))
    await until(async () => (await tasks()).length === 0)
    expect(seen.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i))
  })
})
