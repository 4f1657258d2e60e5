import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { deadline, TooLateError } from './deadline.ts'

const never = new Promise<never>(() => {})
const A_MINUTE = 60_000

test('what comes in time is passed on, and nothing is left waiting', async () => {
  const { signal } = new AbortController()
  expect(await deadline(Promise.resolve('done'), A_MINUTE, signal)).toBe('done')
  await expect(deadline(Promise.reject(new Error('broken')), A_MINUTE, signal)).rejects.toThrow('broken')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('what does not come is given up', async () => {
  const { signal } = new AbortController()
  const late = deadline(never, 20, signal)
  await expect(late).rejects.toThrow(TooLateError)
  await expect(late).rejects.toThrow('No answer within 0.02 s')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a signal ends the wait with its reason, and nobody has to look after what fails later', async () => {
  const caller = new AbortController()
  const work = Promise.withResolvers<void>()
  const waiting = deadline(work.promise, A_MINUTE, caller.signal)
  caller.abort(new Error('the caller left'))
  await expect(waiting).rejects.toThrow('the caller left')
  await expect(deadline(work.promise, A_MINUTE, caller.signal)).rejects.toThrow('the caller left')
  work.reject(new Error('late and unheard'))
  await new Promise(setImmediate)
})
