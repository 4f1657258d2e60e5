import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairSemaphore, type FairSemaphore } from './fair-semaphore.ts'

/** Works named `owner` and number, which end when they are told. */
function desk(limit: FairSemaphore) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    ask(owner: string, ...numbers: number[]) {
      for (const name of numbers.map((number) => owner + number))
        void limit(owner, () => {
          begun.push(name)
          return new Promise<void>((resolve) => ends.set(name, resolve))
        })
    },
    async end(name: string) {
      ends.get(name)!()
      await turn()
    },
  }
}

test('one owner alone takes all places; the next that is free goes to who has the fewest', async () => {
  const { begun, ask, end } = desk(createFairSemaphore({ atOnce: 4 }))
  ask('a', 1, 2, 3, 4, 5, 6)
  ask('b', 1, 2, 3)
  ask('c', 1)
  await turn()
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
  for (const name of ['a1', 'a2', 'a3']) await end(name)
  expect(begun.slice(4)).toEqual(['b1', 'c1', 'a5'])
  await end('c1')
  expect(begun.at(-1)).toBe('b2')
  await end('b1')
  expect(begun.at(-1)).toBe('b3')
})

test('who waits for works that take long gets a place beyond them, half as many again at most', async () => {
  const { begun, ask, end } = desk(createFairSemaphore({ atOnce: 4, mayExceed: true }))
  ask('a', 1, 2, 3, 4, 5)
  ask('b', 1, 2, 3)
  ask('c', 1)
  await turn()
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
  await end('a1')
  await end('a2')
  expect(begun.slice(6)).toEqual([])
  await end('a3')
  expect(begun.slice(6)).toEqual(['c1'])
})

test.each([1, 2])('with %i places another never waits for the end of what holds them all', async (atOnce) => {
  const { begun, ask, end } = desk(createFairSemaphore({ atOnce, mayExceed: true }))
  ask('a', 1, 2, 3)
  ask('b', 1, 2)
  await turn()
  expect(begun.filter((name) => name.startsWith('a'))).toHaveLength(atOnce)
  expect(begun.at(-1)).toBe('b1')
  await end('b1')
  expect(begun.at(-1)).toBe('b2')
})

test('a failure makes room, and so does whoever leaves while waiting', async () => {
  const limit = createFairSemaphore({ atOnce: 1 })
  const gone = new AbortController()
  const first = Promise.withResolvers<string>()
  const running = limit('a', () => first.promise)
  const leaving = limit('a', () => Promise.reject(new Error('never begun')), gone.signal)
  const failing = limit('b', () => Promise.reject(new Error('failed')))
  const last = limit('b', () => Promise.resolve('last'))
  gone.abort(new Error('gone'))
  await expect(leaving).rejects.toThrow('gone')
  first.resolve('first')
  expect(await running).toBe('first')
  await expect(failing).rejects.toThrow('failed')
  expect(await last).toBe('last')
  await expect(limit('a', () => Promise.resolve(1), gone.signal)).rejects.toThrow('gone')
})
