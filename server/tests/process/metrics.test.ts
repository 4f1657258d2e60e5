import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { startAsyncChat } from '../support/chats/async-chat.ts'
import { UNKNOWN_ID } from '../support/drive/drive.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer, inOrder } from '../support/models/model-server.ts'
import { makeDue } from '../support/tasks/tasks.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

/** Values of the metrics, by series and labels as they are written. */
async function read(url: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${url}/metrics`, { headers })
  const text = await reply.text()
  const value = (series: string): number | undefined => {
    const line = text.split('\n').find((line) => line.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length))
  }
  return { status: reply.status, headers: reply.headers, text, value }
}

test('requests are counted by operation, method and status; what a URL holds is no label', async () => {
  const { call, url } = await startTestApp()
  await call('GET', '/me')
  await call('GET', '/me')
  await call('GET', `/agents/${UNKNOWN_ID}`)
  await call('GET', '/no/such/route')
  const { status, headers, text, value } = await read(url)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(value('docent_http_requests_total{operation="me.get",method="GET",status="200"}')).toBe(2)
  expect(value('docent_http_requests_total{operation="agents.get",method="GET",status="404"}')).toBe(1)
  expect(value('docent_http_requests_total{operation="none",method="GET",status="404"}')).toBe(1)
  expect(value('docent_http_request_duration_seconds_count{operation="me.get",method="GET"}')).toBe(2)
  expect(text).not.toContain(UNKNOWN_ID)
  expect(text).not.toContain('such')
})

test('runs, tokens, first tokens, webhooks and commits are counted', async () => {
  const receiver = await startReceiver()
  const usage = { input: 100, cached: 40, output: 7, reasoning: 2 }
  const script = inOrder({ steps: ['Hel', 'lo'], usage }, { status: 401 })
  const { ask, delivery, url, call, path } = await startAsyncChat({ script })
  const messageId = await ask(receiver.url)
  await delivery(messageId, { status: 'delivered' })
  expect((await call('POST', `${path}/query`, { query: 'Again?' })).status).toBe(500)

  const { value } = await read(url)
  const model = 'model="openai-compatible/scripted"'
  expect(value('docent_runs_started_total')).toBe(2)
  expect(value('docent_run_duration_seconds_count{outcome="completed"}')).toBe(1)
  expect(value('docent_run_duration_seconds_count{outcome="model"}')).toBe(1)
  expect(value('docent_runs{state="active"}')).toBe(0)
  expect(value('docent_runs{state="queued"}')).toBe(0)
  expect(value(`docent_model_turns_total{${model},outcome="ok"}`)).toBe(1)
  expect(value(`docent_model_turns_total{${model},outcome="key"}`)).toBe(1)
  expect(value(`docent_model_tokens_total{${model},kind="input"}`)).toBe(100)
  expect(value(`docent_model_tokens_total{${model},kind="cached_input"}`)).toBe(40)
  expect(value(`docent_model_tokens_total{${model},kind="output"}`)).toBe(7)
  expect(value(`docent_model_tokens_total{${model},kind="reasoning"}`)).toBe(2)
  expect(value(`docent_model_first_token_seconds_count{${model}}`)).toBe(1)
  expect(value('docent_webhook_attempt_duration_seconds_count{outcome="2xx"}')).toBe(1)
  expect(value('docent_webhook_deliveries{status="pending"}')).toBe(0)
  expect(value('docent_database_commit_writes_count')).toBeGreaterThan(2)
})

test('a run at work and those queued behind it are distinguished', async () => {
  const { promise: untilRead, resolve: release } = Promise.withResolvers<void>()
  const script = () => answer('Wait', { until: untilRead }, 'ed')
  const { call, url, path } = await startAsyncChat({ script })
  const replies = [1, 2, 3].map((i) => call('POST', `${path}/query`, { query: `Question ${i}` }))
  await expect.poll(async () => (await read(url)).value('docent_runs{state="queued"}')).toBe(2)
  expect((await read(url)).value('docent_runs{state="active"}')).toBe(1)
  release()
  for (const { status } of await Promise.all(replies)) expect(status).toBe(200)
  await expect.poll(async () => (await read(url)).value('docent_runs{state="active"}')).toBe(0)
})

test('background tasks are counted by kind and state, and by how long they are due', async () => {
  const { call, url, services } = await startTestApp({}, { work: false })
  const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'Folder' })).body.data
  await call('DELETE', `/knowledge-bases/${folder.id}`)
  await makeDue(services.db, new Date(Date.now() - 60_000))
  const { value } = await read(url)
  expect(value('docent_tasks{kind="drive.purge-folder",state="waiting"}')).toBe(1)
  expect(value('docent_task_oldest_due_seconds{kind="drive.purge-folder"}')).toBeGreaterThanOrEqual(60)
})

test('the process tells what it takes', async () => {
  const { url } = await startTestApp()
  await read(url)
  const { value } = await read(url)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(Date.now() / 1000 - value('process_start_time_seconds')!).toBeLessThan(24 * 3600)
  expect(value('nodejs_eventloop_lag_seconds{quantile="max"}')).toBeGreaterThanOrEqual(0)
})

test('without a token, requests from other machines are refused, also when a proxy passes them on', async () => {
  const { url } = await startTestApp()
  expect((await read(url)).status).toBe(200)
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
    expect(await read(url, { [header]: '203.0.113.7' })).toMatchObject({ status: 403 })
  const behind = await startTestApp({ DOCENT_PUBLIC_URL: 'https://docent.example.com' })
  const { status, text } = await read(behind.url)
  expect(status).toBe(403)
  expect(JSON.parse(text)).toMatchObject({
    error_code: 'FORBIDDEN',
    message: expect.stringContaining('DOCENT_METRICS_TOKEN'),
  })
})

test('a request that comes in over another address than loopback is refused', async () => {
  const { services } = await startTestApp()
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')
  // A machine without a network has nobody to refuse.
  if (!outer) return
  const app = await createApp(services as never)
  await app.listen({ host: outer.address, port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as { port: number }
  const status = await new Promise((resolve, reject) =>
    request({ host: outer.address, port, path: '/metrics' }, (reply) => resolve(reply.statusCode))
      .on('error', reject)
      .end(),
  )
  expect(status).toBe(403)
})

test('with a token, it is wanted from everybody', async () => {
  const { url } = await startTestApp({
    DOCENT_METRICS_TOKEN: 'a-long-enough-token',
    DOCENT_PUBLIC_URL: 'https://a.example',
  })
  expect((await read(url)).status).toBe(401)
  expect((await read(url, { authorization: 'Bearer wrong-but-as-long-as' })).status).toBe(401)
  expect(
    (await read(url, { authorization: 'Bearer a-long-enough-token', 'x-forwarded-for': '203.0.113.7' })).status,
  ).toBe(200)
})
