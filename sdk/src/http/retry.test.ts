import { expect, test } from 'vitest'
import { DocentError } from './errors.ts'
import { delay, isTemporary, retryDelayMs } from './retry.ts'

test.each([
  [{ status: 429, code: 'RATE_LIMITED' }, true],
  [{ status: 502, code: 'HTTP_502' }, true],
  [{ status: 500, code: 'INTERNAL_ERROR' }, true],
  [{ status: 503, code: 'UNAVAILABLE' }, true],
  [{ status: 409, code: 'REQUEST_IN_PROGRESS' }, true],
  [{ status: 409, code: 'IDEMPOTENCY_CONFLICT' }, false],
  [{ status: 0, code: 'CONNECTION_FAILED' }, true],
  [{ status: 0, code: 'TIMEOUT' }, true],
  [{ status: 500, code: 'AGENT_FAILED' }, false],
  [{ status: 400, code: 'VALIDATION_ERROR' }, false],
  [{ status: 0, code: 'INVALID_ANSWER' }, false],
])('%o is worth another try: %s', (fields, expected) => {
  expect(isTemporary(new DocentError('x', fields))).toBe(expected)
})

test('an error of the program itself is not worth another try', () => {
  expect(isTemporary(new TypeError('x'))).toBe(false)
})

test('pauses grow, stay in their bounds and differ', () => {
  for (const [attempt, most] of [
    [0, 500],
    [1, 1000],
    [4, 8000],
    [30, 8000],
  ] as const) {
    const pauses = Array.from({ length: 50 }, () => retryDelayMs(attempt, null)!)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(most / 2)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(most)
    expect(new Set(pauses).size).toBeGreaterThan(1)
  }
})

test('what the server asks for is waited: seconds, or until a date; not if that is too long', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryDelayMs(0, '7', now)).toBe(7000)
  expect(retryDelayMs(0, 'Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5000)
  expect(retryDelayMs(0, '61', now)).toBeUndefined()
  expect(retryDelayMs(0, 'Wed, 31 Dec 2025 23:00:00 GMT', now)).toBeLessThanOrEqual(500)
  expect(retryDelayMs(0, 'soon', now)).toBeLessThanOrEqual(500)
})

test('a pause ends at once when the signal says so', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  const pause = delay(60_000, controller.signal)
  controller.abort(reason)
  await expect(pause).rejects.toBe(reason)
})
