import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ORGANIZATION_ID } from '../../tests/support/database/database.ts'
import { holdTimers, QUEUES, until } from '../../tests/support/tasks/queues.ts'
import { gate, INDEX, startWorkers } from '../../tests/support/tasks/workers.ts'
import { backoffMs } from './attempt.ts'
import type { TaskHandlers } from './worker.ts'

// Timers are the worker's clock, too; the database continues in real time.
beforeEach(holdTimers)

test('delays grow to ten minutes and no further', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 20].map(backoffMs)).toEqual([
    1_000, 4_000, 16_000, 64_000, 256_000, 600_000, 600_000, 600_000,
  ])
})

describe.each(QUEUES)('a worker on %s', (name) => {
  test('a task runs at once, with its payload, and is gone when it has', async () => {
    const { index, startWorker, tasks, settle } = await startWorkers(name)
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
    const { writes, queue, startWorker, tasks, settle } = await startWorkers(name)
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
    const { index, startWorker, pass, settle } = await startWorkers(name)
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
    const { lapse, index, startWorker, tasks, settle } = await startWorkers(name)
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
    const { index, enqueue, startWorker } = await startWorkers(name)
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
    const { index, startWorker, pass, tasks, queue, settle } = await startWorkers(name)
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
    const { index, startWorker, pass, tasks, queue } = await startWorkers(name)
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
    const { enqueue, startWorker, tasks } = await startWorkers(name)
    await enqueue(INDEX, { dataSourceId: 1 } as never)
    const { calls, handler } = gate()
    startWorker({ [INDEX]: handler })
    await until(async () => (await tasks())[0]?.error?.includes('dataSourceId') === true)
    expect(calls).toHaveLength(0)
  })

  test('a worker keeps its lease for as long as it works', async () => {
    const { index, startWorker, pass, tasks } = await startWorkers(name)
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
    const { index, startWorker, lapse, isHeld, tasks, settle } = await startWorkers(name)
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
    const { index, startWorker, lapse } = await startWorkers(name)
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
    const { index, startWorker, tasks } = await startWorkers(name)
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
    const { index, startWorker, tasks, settle } = await startWorkers(name)
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

  test('tasks outlive a restart', async () => {
    const first = await startWorkers(name)
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
    const { enqueue, startWorker, tasks } = await startWorkers(name)
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
