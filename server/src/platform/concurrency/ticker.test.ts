import { expect, onTestFinished, test, vi } from 'vitest'
import { createTicker } from './ticker.ts'

test('all are called at one moment, until they leave', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { add } = createTicker(1000)
  const calls: string[] = []
  const leaveFirst = add(() => calls.push(`first ${Date.now()}`))
  vi.advanceTimersByTime(700)
  const leaveSecond = add(() => calls.push(`second ${Date.now()}`))
  vi.advanceTimersByTime(300)
  expect(calls).toEqual([`first ${Date.now()}`, `second ${Date.now()}`])
  leaveFirst()
  vi.advanceTimersByTime(1000)
  expect(calls.slice(2)).toEqual([`second ${Date.now()}`])
  leaveSecond()
  expect(vi.getTimerCount()).toBe(0)
})
