import { expect, test } from 'vitest'
import { createLimit } from './limit.ts'

test('so many run at once, the others in order, and a failure makes room like a success', async () => {
  const limit = createLimit(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((index) =>
      limit(async () => {
        started.push(index)
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running -= 1
        if (index === 1) throw new Error('failed')
        return index
      }),
    ),
  )
  expect(most).toBe(2)
  expect(started).toEqual([0, 1, 2, 3, 4])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})
