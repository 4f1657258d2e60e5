import { beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { holdTimers, openTestQueue, QUEUES, startHolder, until } from '../../tests/support/tasks/queues.ts'
import { gate, hang, INDEX, newId, startWorkers } from '../../tests/support/tasks/workers.ts'
import { createLocalMembership } from '../platform/cluster/membership/membership.ts'
import { backoffMs } from './attempt.ts'
import { catalog, type TaskKind } from './catalog.ts'
import type { GivenUpHandlers } from './troubles/given-up.ts'
import { MOST_DEATHS } from './troubles/suspects.ts'

// Timers are the worker's clock, too; the database continues in real time.
beforeEach(holdTimers)

const ofEach = (kinds: TaskKind[], make: (kind: TaskKind) => unknown) =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as never

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
  buildId: 'x',
  step: 1,
  runId: 'x',
  space: 'x',
  turn: 1,
}

// @ts-expect-error a kind that does not say what happens when a task is given up is none that compiles
const _incomplete: GivenUpHandlers = { 'chats.answer': async () => {} }

describe.each(QUEUES)('a worker on %s', (name) => {
  test('what a process held that was killed is done by another', async () => {
    const before = name === 'pg-boss' ? await startWorkers(name) : undefined
    const holder = await startHolder(name, before?.place)
    expect(await holder.says()).toBe('ready')
    await before?.index()
    expect(await holder.says()).toBe('holds 1')
    await holder.kill()
    const { startWorker, lapse, tasks } = before ?? (await startWorkers(name, openTestQueue(name, holder.place)))
    await lapse(12_001)
    const attempts: number[] = []
    startWorker({ [INDEX]: async (_payload, { attempt }) => void attempts.push(attempt) })
    await until(async () => (await tasks()).length === 0)
    expect(attempts).toEqual([2])
  })

  test('a task that takes its process down every time is given up after eight, and whoever waits for it is told', async () => {
    const { index, startWorker, lapse, tasks, settle } = await startWorkers(name)
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
    const { index, startWorker, lapse, tasks, settle } = await startWorkers(name)
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
    const { index, startWorker, lapse, pass, tasks, settle } = await startWorkers(name)
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
    const { enqueue, startWorker, pass, tasks } = await startWorkers(name)
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
    const { enqueue, startWorker, tasks, pass } = await startWorkers(name)
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
})
