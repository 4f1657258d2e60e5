import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type BatchesOptions, createBatches } from './batches.ts'

/** Batches that end when the test says so. */
function start({ largest = 10, ...options }: Partial<BatchesOptions<string>> = {}) {
  const runs: { items: string[]; end: PromiseWithResolvers<void> }[] = []
  const add = createBatches(
    async (items: string[]) => {
      const end = Promise.withResolvers<void>()
      runs.push({ items, end })
      await end.promise
      return items.map((item) => item.toUpperCase())
    },
    { largest, ...options },
  )
  return { add, runs }
}

test('what comes at once goes together, and what comes meanwhile goes next', async () => {
  const { add, runs } = start()
  const first = [add('a'), add('b')]
  await yieldToEventLoop()
  const second = [add('c'), add('d')]
  await yieldToEventLoop()
  expect(runs.map(({ items }) => items)).toEqual([['a', 'b']])
  runs[0]!.end.resolve()
  expect(await Promise.all(first)).toEqual(['A', 'B'])
  expect(runs.map(({ items }) => items)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  runs[1]!.end.resolve()
  expect(await Promise.all(second)).toEqual(['C', 'D'])
})

test('a batch that fails fails for its own callers, and the next one goes on', async () => {
  const { add, runs } = start({ largest: 2 })
  const settled = Promise.allSettled(['a', 'b', 'c'].map(add))
  await yieldToEventLoop()
  runs[0]!.end.reject(new Error('no'))
  await expect.poll(() => runs.length).toBe(2)
  runs[1]!.end.resolve()
  expect(await settled).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }, { value: 'C' }])
  const later = add('d')
  await yieldToEventLoop()
  runs[2]!.end.resolve()
  expect(await later).toBe('D')
})

test('of those with one key a batch takes the first, and no later one overtakes the second', async () => {
  const { add, runs } = start({ keyOf: (item) => item[0]! })
  const done = Promise.all(['a1', 'a2', 'b1', 'a3', 'c1'].map(add))
  await yieldToEventLoop()
  const later = add('b2')
  for (const items of [['a1', 'b1', 'c1'], ['a2', 'b2'], ['a3']]) {
    await expect.poll(() => runs.at(-1)!.items).toEqual(items)
    runs.at(-1)!.end.resolve()
  }
  expect(await done).toEqual(['A1', 'A2', 'B1', 'A3', 'C1'])
  expect(await later).toBe('B2')
})

test('says when nothing is left to do', async () => {
  const idle: number[] = []
  const { add, runs } = start({ largest: 1, onIdle: () => idle.push(runs.length) })
  const done = Promise.all(['a', 'b'].map(add))
  await yieldToEventLoop()
  runs[0]!.end.resolve()
  await expect.poll(() => runs.length).toBe(2)
  expect(idle).toEqual([])
  runs[1]!.end.resolve()
  await done
  await expect.poll(() => idle).toEqual([2])
})
