import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('what is asked for at once is made once, and kept', async () => {
  let count = 0
  const { get } = lazy(async () => ++count)
  expect(await Promise.all([get(), get()])).toEqual([1, 1])
  expect(await get()).toBe(1)
})

test('a failure reaches those who wait for it, and the next one tries again', async () => {
  let count = 0
  const { get } = lazy(async () => {
    if (++count === 1) throw new Error('too many open files')
    return count
  })
  const both = await Promise.allSettled([get(), get()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await get()).toBe(2)
  expect(await get()).toBe(2)
})

test('what is forgotten is handed over and made anew, also if it fails only afterwards', async () => {
  let fail = (_error: Error) => {}
  const attempts = [new Promise<string>((_, reject) => (fail = reject)), Promise.resolve('second')]
  const { get, forget } = lazy(() => attempts.shift()!)
  expect(forget()).toBeUndefined()
  const first = get()
  expect(forget()).toBe(first)
  const second = get()
  fail(new Error('late'))
  await expect(first).rejects.toThrow('late')
  expect(await second).toBe('second')
  expect(get()).toBe(second)
})
