import { expect } from 'vitest'
import { api, request } from './support/api.ts'
import { newConversation, whoAmI } from './support/make.ts'
import { testOfOwn } from './support/tests.ts'
import { freshId } from './support/values.ts'

const read = () => request('GET', '/metrics')

/** Of a series, by its name and labels as they are written; 0 for one that is not there. */
const valueIn = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length) ?? 0,
  )

testOfOwn('/metrics is what Prometheus reads', async () => {
  const { status, headers, text } = await read()
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+.e\d]+)$/)
})

testOfOwn('a request counts under its operationId', async () => {
  const series = 'docent_http_requests_total{operation="me.get",method="GET",status="200"}'
  const before = valueIn((await read()).text, series)
  await api.get('/me')
  // Counted when the answer has left, which may be after it came.
  await expect.poll(async () => valueIn((await read()).text, series)).toBeGreaterThan(before)
})

testOfOwn('an answer counts, with the turns of its model', async () => {
  const series = 'docent_run_duration_seconds_count{outcome="completed"}'
  const before = valueIn((await read()).text, series)
  const { answer } = await newConversation()
  await answer('say Hello')
  await expect.poll(async () => valueIn((await read()).text, series)).toBeGreaterThan(before)
  expect((await read()).text).toMatch(/^docent_model_turns_total\{model="[^"]+",outcome="ok"\} [1-9]/m)
})

testOfOwn('no label holds what somebody wrote or an id', async () => {
  const { organization, workspace } = await whoAmI()
  const id = freshId()
  await api.get(`/agents/${id}`)
  const { text } = await read()
  for (const word of [id, organization.id, workspace.id, '@']) expect(text).not.toContain(word)
})

testOfOwn('what a proxy passes on is refused', async () => {
  const reply = await request('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect([reply.status, reply.body.error_code]).toEqual([403, 'FORBIDDEN'])
})
