import { Docent } from '@docent/sdk'
import { expect, test } from 'vitest'
import { startTestApp } from '../../support/test-app.ts'

test('a stream says when its events were sent, and comes to its end', async () => {
  const { url, owner } = await startTestApp()
  const docent = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const seen: number[] = []
  const check = await docent.streamCheck({ pause_seconds: 0 }, { onArrival: ({ number }) => seen.push(number) })
  expect(check.isWhole).toBe(true)
  expect(check.arrivals.map(({ type }) => type)).toEqual([...Array(10).fill('tick'), 'end'])
  expect(seen).toEqual(Array.from({ length: 11 }, (_, index) => index))
  expect(check.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const sent = check.arrivals.map(({ elapsed_ms }) => elapsed_ms)
  expect(sent).toEqual(sent.toSorted((a, b) => a - b))
  expect(sent.at(-1)).toBeGreaterThanOrEqual(1_790)
  for (const { elapsed_ms, arrived_ms } of check.arrivals) expect(arrived_ms).toBeGreaterThanOrEqual(elapsed_ms - 1)
})

test('who leaves gives the place among the open streams back', async () => {
  const { url, owner, call } = await startTestApp({ DOCENT_MAX_STREAMS: '1' })
  const leaving = new AbortController()
  const first = await fetch(`${url}/v1/stream-check?pause_seconds=300`, {
    headers: { 'x-api-key': owner.apiKey },
    signal: leaving.signal,
  })
  expect(first.status).toBe(200)
  expect(await call('GET', '/stream-check')).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } })
  leaving.abort()
  const statusNow = async () => {
    const reply = await fetch(`${url}/v1/stream-check?pause_seconds=0`, { headers: { 'x-api-key': owner.apiKey } })
    await reply.body!.cancel()
    return reply.status
  }
  await expect.poll(statusNow).toBe(200)
})

test('a pause that makes no sense is refused', async () => {
  const { call } = await startTestApp()
  expect(await call('GET', '/stream-check?pause_seconds=301')).toMatchObject({ status: 400 })
  expect((await call('GET', '/stream-check', undefined, { key: null })).status).toBe(401)
})
