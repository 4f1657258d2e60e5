import { expect, test } from 'vitest'
import { toConfig } from '../../config.ts'
import { nextDelayMs } from './schedule.ts'

const middle = () => 0.5
const { retryDelaysMs } = toConfig({}).webhooks

test('12 attempts over about 76 hours', () => {
  const pauses: number[] = []
  for (let attempts = 1; ; attempts++) {
    const delayMs = nextDelayMs(retryDelaysMs, { attempts, random: middle })
    if (delayMs === undefined) break
    pauses.push(delayMs / 1000)
  }
  expect(pauses).toEqual([5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(Math.round(pauses.reduce((sum, pause) => sum + pause, 0) / 3600)).toBe(76)
})

test('a pause is up to 10 % shorter or longer', () => {
  expect(nextDelayMs([100_000], { attempts: 1, random: () => 0 })).toBe(90_000)
  expect(nextDelayMs([100_000], { attempts: 1, random: () => 1 })).toBe(110_000)
})

test('Retry-After makes a pause longer, never shorter, and by no more than a day', () => {
  const of = (retryAfterMs: number) => nextDelayMs([5_000], { attempts: 1, retryAfterMs, random: middle })
  expect(of(60_000)).toBe(60_000)
  expect(of(1_000)).toBe(5_000)
  expect(of(10 ** 12)).toBe(24 * 3_600_000)
})

test('Retry-After gives no attempt beyond the last one', () => {
  expect(nextDelayMs([5_000], { attempts: 2, retryAfterMs: 60_000 })).toBeUndefined()
})

test.each([
  ['5,30', [5_000, 30_000]],
  ['0.5', [500]],
  ['0, 0', [0, 0]],
])('DOCENT_WEBHOOK_RETRY_DELAYS=%s', (value, expected) => {
  expect(toConfig({ DOCENT_WEBHOOK_RETRY_DELAYS: value }).webhooks.retryDelaysMs).toEqual(expected)
})

test.each(['5;30', '5,,30', '-1', 'x', '1,', '99999999'])('DOCENT_WEBHOOK_RETRY_DELAYS=%s stops the start', (value) => {
  expect(() => toConfig({ DOCENT_WEBHOOK_RETRY_DELAYS: value })).toThrow('DOCENT_WEBHOOK_RETRY_DELAYS')
})
