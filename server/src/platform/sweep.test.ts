import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSweep } from './sweep.ts'
import { createLogger } from './telemetry/logger.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const logger = createLogger('silent')

/** A sweep over `old` things; it notes the size of each step. */
function start(old: number, { fails = 0 } = {}) {
  const steps: number[] = []
  const state = { old, fails }
  const sweep = createSweep({
    what: 'things',
    everyMs: 60_000,
    limit: 10,
    logger,
    async step(limit) {
      if (state.fails-- > 0) throw new Error('the disk is full')
      const removed = Math.min(limit, state.old)
      state.old -= removed
      steps.push(removed)
      return removed
    },
  })
  return { sweep, steps, state }
}

test('all that is old goes, in small steps', async () => {
  const { sweep, steps } = start(25)
  expect(await sweep.sweep()).toBe(25)
  expect(steps).toEqual([10, 10, 5])
})

test('it begins at once, and comes again after its pause', async () => {
  const { sweep, steps, state } = start(3)
  sweep.start()
  await vi.waitFor(() => expect(steps).toEqual([3]))
  state.old = 1
  await vi.advanceTimersByTimeAsync(59_000)
  expect(steps).toEqual([3])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(steps).toEqual([3, 1])
  await sweep.stop()
})

test('a round that fails does not end it', async () => {
  const { sweep, steps } = start(3, { fails: 1 })
  sweep.start()
  await vi.advanceTimersByTimeAsync(60_000)
  await vi.waitFor(() => expect(steps).toEqual([3]))
  await sweep.stop()
})

test('it stops between two steps, and does not come again', async () => {
  const { sweep, steps, state } = start(1_000_000)
  sweep.start()
  await vi.waitFor(() => expect(steps.length).toBeGreaterThan(1))
  await sweep.stop()
  const count = steps.length
  await vi.advanceTimersByTimeAsync(600_000)
  expect(steps.length).toBe(count)
  expect(state.old).toBeGreaterThan(0)
})
