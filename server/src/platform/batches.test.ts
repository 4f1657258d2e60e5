import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBatches } from './batches.ts'

/** Batches that end when the test says so. */
function start(largest = 10) {
  const runs: { items: string[]; end: PromiseWithResolvers<void> }[] = []
  const add = createBatches(async (items: string[]) => {
    const end = Promise.withResolvers<void>()
    runs.push({ items, end })
    await end.promise
    return items.map((item) => item.toUpperCase())
  }, largest)
  return { add, runs }
}

test('what comes at once goes together, and what comes meanwhile goes next', async () => {
  const { add, runs } = start()
  const first = [add('a'), add('b')]
  await nextTurn()
  const second = [add('c'), add('d')]
  await nextTurn()
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

test('a batch that fails is told to its own, and the next one goes on', async () => {
  const { add, runs } = start(2)
  const settled = Promise.allSettled(['a', 'b', 'c'].map(add))
  await nextTurn()
  runs[0]!.end.reject(new Error('no'))
  await expect.poll(() => runs.length).toBe(2)
  runs[1]!.end.resolve()
  expect(await settled).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }, { value: 'C' }])
  const later = add('d')
  await nextTurn()
  runs[2]!.end.resolve()
  expect(await later).toBe('D')
})
