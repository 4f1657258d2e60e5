import type { Clock } from '../../src/platform/clock.ts'

/** A clock that stands still, but for what the test lets pass. */
export function manualClock(start = '2026-01-31T09:30:00.000Z') {
  let now = Date.parse(start)
  const clock: Clock = () => new Date(now)
  return Object.assign(clock, {
    pass(ms: number): void {
      now += ms
    },
  })
}
