import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

async function start() {
  const time = { now: new Date('2026-05-04T12:00:00Z') }
  const app = await startTestChat({ clock: () => time.now, settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' } })
  const folder = await driveOf(app).newFolder('Shelf')
  const agent = await app.newAgent({ model: 'builtin/extractive', knowledge_base_ids: [folder] })
  const base = `/agents/${agent}`
  const cases = [{ question: 'Which currency is used on Mars?', answerable: false }]
  const schedule = { hour: 3, time_zone: 'Europe/Berlin' }
  const set: string = (await app.succeed('POST', `${base}/evaluation-sets`, { name: 'Set', cases, schedule })).data.id
  const path = `${base}/evaluation-sets/${set}`
  const runs = async () => (await app.succeed('GET', `${base}/evaluation-runs`)).data.evaluation_runs
  const getSet = async () => (await app.succeed('GET', path)).data
  const night = (at: string) => {
    time.now = new Date(at)
    return app.services.nightlyRuns.sweep()
  }
  return { ...app, agent, base, path, time, runs, getSet, night }
}

test('a set runs once a night, whatever process looks, and late after an outage', async () => {
  const { services, runs, getSet, night, path, succeed } = await start()
  expect(await getSet()).toMatchObject({
    schedule: { hour: 3, time_zone: 'Europe/Berlin', alerts: [] },
    next_run_at: '2026-05-05T01:00:00.000Z',
  })
  await night('2026-05-05T00:59:59Z')
  expect(await runs()).toEqual([])
  await Promise.all([night('2026-05-05T01:00:00Z'), services.nightlyRuns.sweep(), services.nightlyRuns.sweep()])
  expect(await runs()).toMatchObject([{ is_scheduled: true, case_count: 1 }])
  expect((await getSet()).next_run_at).toBe('2026-05-06T01:00:00.000Z')
  await night('2026-05-09T12:00:00Z')
  expect(await runs()).toHaveLength(2)
  expect((await getSet()).next_run_at).toBe('2026-05-10T01:00:00.000Z')
  expect((await succeed('PATCH', path, { schedule: null })).data).toMatchObject({ schedule: null, next_run_at: null })
  await night('2026-05-20T12:00:00Z')
  expect(await runs()).toHaveLength(2)
})

test('a night without a run says why, and the next one is planned', async () => {
  const app = await start()
  const keys = `/workspaces/${app.owner.workspaceId}/api-keys`
  const made = (await app.succeed('POST', keys, { name: 'Nightly', role: 'admin' })).data
  await app.succeed('PATCH', app.path, { schedule: { hour: 3 } }, { key: made.key })
  await app.succeed('DELETE', `${keys}/${made.id ?? made.api_key.id}`)
  await app.night('2026-05-05T03:00:00Z')
  expect(await app.runs()).toEqual([])
  expect(await app.getSet()).toMatchObject({
    schedule_problem: expect.stringContaining('no longer works'),
    next_run_at: '2026-05-06T03:00:00.000Z',
  })
})

test('what a night finds is sent, and what got worse than its bound', async () => {
  const app = await start()
  const receiver = await startReceiver()
  const event_types = ['evaluation.finished', 'evaluation.regressed']
  await app.succeed('POST', `/workspaces/${app.owner.workspaceId}/webhook-endpoints`, {
    url: receiver.url,
    event_types,
  })
  const alerts = [
    { measure: 'declined_right', limit: 0.9, drop: 0.05 },
    { measure: 'quoted', limit: 1 },
  ]
  await app.succeed('PATCH', app.path, { schedule: { hour: 3, alerts } })
  const next = async () => JSON.parse((await receiver.next()).body)
  await app.night('2026-05-05T03:00:00Z')
  const first = await next()
  expect(first).toMatchObject({
    type: 'evaluation.finished',
    workspace_id: app.owner.workspaceId,
    data: {
      status: 'completed',
      is_scheduled: true,
      agent_id: app.agent,
      measures: { declined_right: 1, quoted: null },
    },
  })
  await app.succeed('POST', `${app.path}/cases`, {
    from: 'cases',
    cases: [{ question: 'What are you?', answerable: true, expected_answers: ['a lighthouse keeper'] }],
  })
  await app.night('2026-05-06T03:00:00Z')
  const told = [await next(), await next()].sort((a, b) => (a.type < b.type ? -1 : 1))
  expect(told.map(({ type }) => type)).toEqual(event_types)
  expect(told[1].data).toMatchObject({
    is_scheduled: true,
    alerts: [{ measure: 'quoted', value: 0, before: null, limit: 1, drop: null }],
  })
  expect(told[1].data.evaluation_run_id).not.toBe(first.data.evaluation_run_id)
})

test('a schedule that makes no sense is refused', async () => {
  const { call, path } = await start()
  const alert = { measure: 'quoted', limit: 0.8 }
  await everyRow(
    [
      ['no hour', { hour: 24 }, 'schedule.hour'],
      ['no zone', { hour: 3, time_zone: 'Mars/Olympus' }, 'schedule.time_zone'],
      ['no measure', { hour: 3, alerts: [{ measure: 'joy', limit: 1 }] }, 'schedule.alerts.0.measure'],
      ['no bound', { hour: 3, alerts: [{ measure: 'quoted' }] }, 'schedule.alerts.0.limit'],
      ['a measure twice', { hour: 3, alerts: [alert, alert] }, 'schedule.alerts'],
    ],
    async (_what, schedule, field) => {
      const { status, body } = await call('PATCH', path, { schedule })
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain(field)
    },
  )
})
