import { expect, test } from 'vitest'
import { RateLimitedError } from '../../errors.ts'
import { createRateLimiter, type RateLimits } from './rate-limit.ts'

function start(limits: RateLimits) {
  let nowMs = 1_000_000
  const limiter = createRateLimiter(limits, () => nowMs)
  const takes = (count: number, key = 'k') => {
    let taken = 0
    for (let i = 0; i < count; i++) {
      try {
        limiter.take(key)
        taken++
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error
      }
    }
    return taken
  }
  const refusal = (key = 'k') => {
    try {
      limiter.take(key)
    } catch (error) {
      return error as RateLimitedError & { headers: Record<string, string> }
    }
    throw new Error('it was not refused')
  }
  return { limiter, takes, refusal, pass: (ms: number) => (nowMs += ms) }
}

test('a rested key has its burst at once, then as many a second as its rate', () => {
  const { takes, pass } = start({ perSecond: 200, burst: 400 })
  expect(takes(1000)).toBe(400)
  pass(10)
  expect(takes(1000)).toBe(2)
  for (let second = 0; second < 5; second++) {
    pass(1000)
    expect(takes(1000)).toBe(200)
  }
  pass(60_000)
  expect(takes(1000)).toBe(400)
})

test('keys do not take from each other', () => {
  const { takes } = start({ perSecond: 1, burst: 5 })
  expect(takes(10, 'a')).toBe(5)
  expect(takes(10, 'b')).toBe(5)
})

test('the headers tell what is left and when all is there again', () => {
  const { limiter, takes, pass } = start({ perSecond: 2, burst: 4 })
  expect(limiter.take('k')).toEqual({ 'ratelimit-policy': '"default";q=4;w=2', ratelimit: '"default";r=3;t=1' })
  takes(2)
  expect(limiter.take('k')).toMatchObject({ ratelimit: '"default";r=0;t=2' })
  pass(500)
  expect(limiter.take('k')).toMatchObject({ ratelimit: '"default";r=0;t=2' })
})

test.each([
  [{ perSecond: 10, burst: 1 }, 1, 100],
  [{ perSecond: 0.25, burst: 1 }, 4, 4000],
])('a refusal of %j says to wait %i s, and then it is granted', (limits, seconds, ms) => {
  const { takes, refusal, pass } = start(limits)
  takes(1)
  const error = refusal()
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: seconds })
  expect(error.headers).toMatchObject({ ratelimit: `"default";r=0;t=${seconds}` })
  pass(ms - 1)
  refusal()
  pass(1)
  expect(takes(1)).toBe(1)
})

test('refused requests cost nothing', () => {
  const { takes, pass } = start({ perSecond: 1, burst: 1 })
  takes(500)
  pass(1000)
  expect(takes(1)).toBe(1)
})

test.each([
  { perSecond: 0, burst: 10 },
  { perSecond: 10, burst: 0 },
])('%j is no limit and gives no headers', (limits) => {
  const { limiter, takes } = start(limits)
  expect(takes(5000)).toBe(5000)
  expect(limiter.take('k')).toBeUndefined()
})

test('many thousand keys are served, and forgotten buckets begin full', () => {
  const { takes } = start({ perSecond: 1, burst: 2 })
  for (let i = 0; i < 25_000; i++) expect(takes(1, `key ${i}`)).toBe(1)
})
