import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresAdminUrl } from '../support/database/postgres.ts'
import { query } from '../support/database/postgres-server.ts'
import { answer } from '../support/models/model-server.ts'
import { gate, SLOWLY, startManyProcesses } from '../support/processes/many-processes.ts'

const WAITING = `select count(*)::int as count from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
const SETS = ['Red', 'Green', 'Blue']
const PARTS = ['first', 'held', 'last']

test(
  'on two processes each set runs once in a night, and a run whose process is killed is ended by the other one',
  async () => {
    const many = await startManyProcesses({ apis: 1, workers: 2 })
    onTestFinished(() => many.close(), SLOWLY)
    const { workers, asked, newAgent, settings } = many
    const { call } = many.api(0)
    const open = gate()
    for (const set of SETS)
      for (const part of PARTS)
        many.answer(
          `${set} ${part}?`,
          part === 'held' ? answer({ until: open.isOpen }, `To ${set} ${part}`) : answer(`To ${set} ${part}`),
        )
    const base = `/agents/${await newAgent()}`
    for (const name of SETS) {
      const cases = PARTS.map((part) => ({ question: `${name} ${part}?` }))
      const { status } = await call('POST', `${base}/evaluation-sets`, { name, cases, schedule: { hour: 3 } })
      expect(status).toBe(200)
    }
    const superuser = new URL(await postgresAdminUrl())
    superuser.pathname = new URL(settings.DATABASE_URL!).pathname
    await query(superuser.href, `update evaluation_set set next_run_at = '2026-01-01T03:00:00.000Z'`)
    // Both processes see the sets, and wait to take them, before either may.
    const holding = new pg.Client({ connectionString: superuser.href })
    onTestFinished(() => holding.end())
    await holding.connect()
    await holding.query('begin; select id from evaluation_set for update')
    const waiting = async () =>
      (await query<{ count: number }>(superuser.href, WAITING, [superuser.pathname.slice(1)]))[0]!.count
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2)
    await holding.query('commit')

    const runs = async () => (await call('GET', `${base}/evaluation-runs`)).body.data.evaluation_runs as any[]
    const held = () => new Set(asked.filter((question) => question.endsWith('held?')))
    await expect.poll(async () => (await runs()).length).toBe(3)
    // Each process runs one at a time.
    await expect.poll(() => held().size, { timeout: 30_000 }).toBe(2)
    const settled = (done: number) => async () => (await runs()).filter(({ done_count }) => done_count === done).length
    await expect.poll(settled(2)).toBe(2)

    await workers[0]!.end('SIGKILL')
    open.open()
    await expect.poll(settled(3), { timeout: 90_000 }).toBe(3)
    const all = await runs()
    expect(all.map(({ status, is_scheduled, case_count }) => [status, is_scheduled, case_count])).toEqual(
      Array(3).fill(['completed', true, 3]),
    )
    expect(new Set(all.map(({ evaluation_set_id }) => evaluation_set_id)).size).toBe(3)
    const answers: string[] = []
    for (const { id } of all) {
      const { results } = (await call('GET', `${base}/evaluation-runs/${id}/results`)).body.data
      answers.push(...results.map(({ answer: text }: any) => text))
    }
    expect(answers.sort()).toEqual(SETS.flatMap((set) => PARTS.map((part) => `To ${set} ${part}`)).sort())
    // Answered questions are not asked again; of those that hung, only that of the killed process is.
    const counted = (question: string) => asked.filter((one) => one === question).length
    for (const set of SETS) expect([counted(`${set} first?`), counted(`${set} last?`)]).toEqual([1, 1])
    expect(SETS.map((set) => counted(`${set} held?`)).sort()).toEqual([1, 1, 2])
    const { evaluation_sets } = (await call('GET', `${base}/evaluation-sets`)).body.data
    for (const { next_run_at } of evaluation_sets) expect(new Date(next_run_at).getTime()).toBeGreaterThan(Date.now())
  },
  2 * SLOWLY,
)
