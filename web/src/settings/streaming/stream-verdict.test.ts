import type { StreamCheck } from '@docent/sdk'
import { expect, test } from 'vitest'
import { judge } from './stream-verdict.ts'

/** Check whose events were sent every 200 ms and arrived at the times in `arrive`. */
function check(arrive: (sentMs: number) => number, rest: Partial<StreamCheck> = {}): StreamCheck {
  const arrivals = Array.from({ length: 10 }, (_, number) => ({
    type: 'tick' as const,
    number,
    elapsed_ms: number * 200,
    arrived_ms: arrive(number * 200),
  }))
  return { arrivals, isWhole: true, headers: new Headers(), ...rest }
}

test('events that come as they were sent are good, however far the server is', () => {
  expect(judge(check((sent) => sent + 900 + (sent % 3) * 60))).toMatchObject({ verdict: 'good' })
})

test('events that come all at once were held back', () => {
  expect(judge(check(() => 2_100))).toMatchObject({ verdict: 'held-back', worstDelayMs: 1_800 })
})

test('events that come in bunches were held back', () => {
  expect(judge(check((sent) => Math.ceil(sent / 1_000) * 1_000))).toMatchObject({ verdict: 'held-back' })
})

test('a stream that ends before its end was cut', () => {
  expect(judge(check((sent) => sent, { isWhole: false }))).toMatchObject({ verdict: 'cut', lastMs: 1_800 })
  expect(judge(check(() => 2_000, { isWhole: false })).verdict).toBe('held-back-and-cut')
  expect(judge({ arrivals: [], isWhole: false, headers: new Headers() })).toEqual({
    verdict: 'nothing',
    worstDelayMs: 0,
    lastMs: null,
    proxy: null,
  })
})

test.each([
  [{ server: 'nginx/1.27.0' }, 'nginx'],
  [{ server: 'Apache/2.4' }, 'Apache'],
  [{ via: '1.1 Caddy' }, 'Caddy'],
  [{ server: 'cloudflare', 'cf-ray': '1' }, 'Cloudflare'],
  [{}, null],
])('headers %j tell of %s', (headers, proxy) => {
  expect(judge(check((sent) => sent, { headers: new Headers(headers as Record<string, string>) })).proxy).toBe(proxy)
})
