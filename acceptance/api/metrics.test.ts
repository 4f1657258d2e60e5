import { expect } from 'vitest'
import { api, request } from '../support/api.ts'
import { newConversation, whoAmI } from '../support/make.ts'
import { target } from '../support/target.ts'
import { testOfOwn } from '../support/tests.ts'
import { freshId } from '../support/values.ts'

/** Metrics of each process, read one by one as Prometheus does: each counts only its own work. */
const readAll = () =>
  Promise.all(
    target.processes!.map(async (url) => {
      const headers = { authorization: `Bearer ${target.metricsToken}` }
      const { status, headers: answered, text } = await request('GET', '/metrics', { headers, url })
      return { status, type: answered.get('content-type'), text }
    }),
  )

/** Sum of a series over all processes, by its name and labels as they are written; 0 for one that is not there. */
async function sumOf(series: string): Promise<number> {
  const lines = (await readAll()).flatMap(({ text }) => text.split('\n'))
  const values = lines.filter((line) => line.startsWith(`${series} `)).map((line) => Number(line.slice(series.length)))
  return values.reduce((sum, value) => sum + value, 0)
}

testOfOwn('/metrics of every process is what Prometheus reads', async () => {
  for (const { status, type, text } of await readAll()) {
    expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+.e\d]+)$/)
  }
})

testOfOwn('a request counts under its operationId', async () => {
  const series = 'docent_http_requests_total{operation="me.get",method="GET",status="200"}'
  const before = await sumOf(series)
  await api.get('/me')
  // Counted when the answer has left, which may be after it came.
  await expect.poll(() => sumOf(series)).toBeGreaterThan(before)
})

testOfOwn('an answer counts, with the turns of its model', async () => {
  const series = 'docent_run_duration_seconds_count{outcome="completed"}'
  const turns = `docent_model_turns_total{model="${target.model}",outcome="ok"}`
  const before = await sumOf(series)
  const { answer } = await newConversation()
  await answer('say Hello')
  await expect.poll(() => sumOf(series)).toBeGreaterThan(before)
  expect(await sumOf(turns)).toBeGreaterThan(0)
})

testOfOwn('no label holds what somebody wrote or an id', async () => {
  const { organization, workspace } = await whoAmI()
  const id = freshId()
  await api.get(`/agents/${id}`)
  for (const { text } of await readAll())
    for (const word of [id, organization.id, workspace.id, '@']) expect(text).not.toContain(word)
})

testOfOwn('without their token they are refused, and to what a proxy passes on, too', async () => {
  for (const headers of [undefined, { 'x-forwarded-for': '203.0.113.7' }]) {
    const reply = await request('GET', '/metrics', { headers })
    expect([reply.status, reply.body.error_code]).toEqual([401, 'UNAUTHORIZED'])
  }
})
