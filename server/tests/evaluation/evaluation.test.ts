import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const REFUNDS = `# Refunds

## How long refunds take

A refund is paid within fourteen days after the parcel has come back.

## Who pays for the parcel

The shop pays for the parcel if the article was damaged.
`
const HOLIDAYS = '# Holidays\n\n## Days of leave\n\nEverybody has thirty days of leave in a year.\n'

/** An agent that quotes from two folders, and a question set of it. */
async function start(options: Parameters<typeof startTestChat>[0] = {}) {
  const app = await startTestChat(options)
  const drive = driveOf(app)
  const open = await drive.newFolder('Handbook')
  const secret = await drive.newFolder('Staff')
  const refunds = await drive.addFile(open, { title: 'refunds.md', content: REFUNDS, index: true })
  const holidays = await drive.addFile(secret, { title: 'holidays.md', content: HOLIDAYS, index: true })
  await expect
    .poll(
      async () =>
        (await Promise.all([open, secret].map((id) => drive.listFiles(id)))).map(
          ({ data_sources }) => data_sources?.[0]?.status,
        ),
      { timeout: 20_000 },
    )
    .toEqual(['successful', 'successful'])
  const agent = await app.newAgent({ model: 'builtin/extractive', knowledge_base_ids: [open, secret] })
  const base = `/agents/${agent}`

  const newSet = async (cases: object[] = [], fields: object = {}): Promise<string> =>
    (await app.succeed('POST', `${base}/evaluation-sets`, { name: 'Everyday', cases, ...fields })).data.id
  const startRun = async (set: string, key?: string) =>
    (await app.succeed('POST', `${base}/evaluation-sets/${set}/runs`, undefined, key ? { key } : {})).data
  const getRun = async (id: string) => (await app.succeed('GET', `${base}/evaluation-runs/${id}`)).data
  const untilEnded = async (id: string) => {
    await expect.poll(async () => (await getRun(id)).status, { timeout: 30_000 }).not.toMatch(/waiting|running/)
    return getRun(id)
  }
  const results = async (id: string, key?: string) =>
    (await app.succeed('GET', `${base}/evaluation-runs/${id}/results`, undefined, key ? { key } : {})).data.results
  return { ...app, drive, open, secret, refunds, holidays, agent, base, newSet, startRun, getRun, untilEnded, results }
}

const cases = ({ refunds }: { refunds: string }) => [
  {
    question: 'Within how many days is a refund paid?',
    expected_answers: ['fourteen days'],
    expected_files: [{ data_source_id: refunds, passage: 'A refund is paid within fourteen days' }],
    tags: ['refunds'],
  },
  {
    question: 'How many days of leave does everybody have?',
    expected_answers: ['30'],
    expected_files: [{ path: '/Staff/holidays.md' }],
  },
  { question: 'Which currency is used on Mars?', answerable: false },
]

test('a run answers each case by the real path, and measures it', async () => {
  const app = await start()
  const set = await app.newSet(cases(app))
  const begun = await app.startRun(set)
  expect(begun).toMatchObject({ status: 'waiting', case_count: 3, done_count: 0, totals: null })
  const run = await app.untilEnded(begun.id)
  expect(run).toMatchObject({ status: 'completed', done_count: 3, error_message: null })
  expect(run.totals).toMatchObject({
    measures: {
      recall_at_5: { value: 1, cases: 2 },
      ndcg_at_10: { value: 1, cases: 2 },
      quoted: { value: 0.5, cases: 2 },
      cited_expected: { value: 1, cases: 2 },
      declined_right: { value: 1, cases: 1 },
      declined_wrong: { value: 0, cases: 2 },
      judge_score: { value: null, cases: 0 },
    },
    failed: 0,
    cost_usd: 0,
  })
  const [first, second, third] = await app.results(run.id)
  expect(first).toMatchObject({ status: 'answered', is_hidden: false, cited: [{ data_source_id: app.refunds }] })
  expect(first.answer).toContain('fourteen days')
  expect(second).toMatchObject({
    measures: { quoted: false, cited_expected: true },
    expected_files: [{ data_source_id: app.holidays }],
  })
  expect(third.measures).toMatchObject({ declined: true, declined_right: true, recall_at_5: null, quoted: null })

  const { data } = await app.succeed('GET', `/agents/${app.agent}/chats`)
  expect(data.chats).toEqual([])
  const usage = await app.succeed('GET', `/workspaces/${app.owner.workspaceId}/usage?group_by=agent`)
  expect(usage.data.usage).toMatchObject([{ agent_id: app.agent, messages: 3 }])
  const csv = await app.call('GET', `${app.base}/evaluation-runs/${run.id}/results.csv`)
  expect(csv.headers.get('content-type')).toContain('text/csv')
  expect((csv.body as string).trim().split('\r\n')).toHaveLength(4)
})

test('two runs are compared over versions of the agent, case by case', async () => {
  const app = await start()
  const set = await app.newSet(cases(app))
  const before = await app.untilEnded((await app.startRun(set)).id)
  await app.succeed('PATCH', app.base, { knowledge_base_ids: [app.secret] })
  const after = await app.untilEnded((await app.startRun(set)).id)
  expect(after.agent_version).not.toBe(before.agent_version)
  const { data } = await app.succeed('GET', `${app.base}/evaluation-runs/${after.id}/compare?before_id=${before.id}`)
  expect(data.changed_fields).toEqual(['knowledge_base_ids'])
  expect(data.cases.map(({ change }: any) => change)).toEqual(['worse', 'same', 'same'])
  expect(data.cases[0].worse).toEqual(expect.arrayContaining(['recall_at_5', 'quoted', 'cited_expected']))
  expect(data.measures).toContainEqual({
    measure: 'quoted',
    before: { value: 0.5, cases: 2 },
    after: { value: 0, cases: 2 },
    difference: -0.5,
    better: 0,
    worse: 1,
  })
  const other = await app.newSet([{ question: 'Another?' }])
  const elsewhere = await app.untilEnded((await app.startRun(other)).id)
  expect(
    await app.call('GET', `${app.base}/evaluation-runs/${after.id}/compare?before_id=${elsewhere.id}`),
  ).toMatchObject({
    status: 400,
    body: { message: 'before_id: must be a run of the same question set' },
  })
})

test('what somebody may not read is hidden from their runs, and at once from stored results', async () => {
  const app = await start()
  const key = await addKey(app, { role: 'member', permissions: ['manage_agents'] })
  const set = await app.newSet(cases(app))
  const run = await app.untilEnded((await app.startRun(set)).id)
  expect((await app.results(run.id, key)).map(({ is_hidden }: any) => is_hidden)).toEqual([false, false, false])

  const grants = [{ kind: 'workspace', id: app.owner.workspaceId, level: 'none' }]
  await app.succeed('PUT', `/knowledge-bases/${app.secret}/grants`, { grants })
  const seen = await app.results(run.id, key)
  expect(seen[1]).toMatchObject({
    is_hidden: true,
    question: null,
    answer: null,
    found: [],
    cited: [],
    expected_files: [],
    measures: { cited_expected: true },
  })
  expect(seen[0].is_hidden || seen[0].found.every(({ data_source_id }: any) => data_source_id === app.refunds)).toBe(
    true,
  )
  expect(JSON.stringify(seen)).not.toContain('thirty days')
  const { data } = await app.succeed('GET', `${app.base}/evaluation-sets/${set}/cases`, undefined, { key })
  expect(data.cases.map(({ question }: any) => question)).not.toContain('How many days of leave does everybody have?')

  const own = await app.untilEnded((await app.startRun(set, key)).id)
  const [, hidden] = await app.results(own.id)
  expect(hidden.found.map(({ data_source_id }: any) => data_source_id)).not.toContain(app.holidays)
  expect(hidden.measures).toMatchObject({ recall_at_10: 0, cited_expected: false })
})

test('cases come from a table, all or none, and errors name the line', async () => {
  const app = await start()
  const set = await app.newSet()
  const add = (csv: string) => app.call('POST', `${app.base}/evaluation-sets/${set}/cases`, { from: 'csv', csv })
  const head = 'question,expected_answers,expected_files,passages,tags,answerable\n'
  await everyRow(
    [
      ['no question', 'tags\nx\n', 'line 1: the column question is missing'],
      ['a column that is not there', 'question,colour\nx,red\n', 'line 1: there is no column "colour"'],
      ['too few fields', `${head}One?,a\n`, 'line 2: has 2 fields instead of 6'],
      ['an open quotation mark', `${head}"One?,a,,,,\n`, 'cannot be read'],
      ['an empty question', `${head}One?,,,,,\n,,,,,\n`, 'line 3: question: must not be empty'],
      ['neither true nor false', `${head}One?,,,,,maybe\n`, 'line 2: answerable must be true or false'],
      ['an answer to what has none', `${head}One?,a,,,,false\n`, 'expected_answers: must be empty'],
      [
        'a file that is not there',
        `${head}One?,,,,,\nTwo?,,/Handbook/none.md,,,\n`,
        'line 3: "/Handbook/none.md" is no file',
      ],
      ['passages without files', `${head}One?,,,a|b,,\n`, 'line 2: passages has 2 texts, and expected_files 0'],
      ['nothing', head, 'holds no line below'],
    ],
    async (_, csv, words) =>
      expect(await add(csv)).toMatchObject({ status: 400, body: { message: expect.stringContaining(words) } }),
  )
  const list = async () => (await app.succeed('GET', `${app.base}/evaluation-sets/${set}/cases`)).data.cases
  expect(await list()).toEqual([])
  const csv = `\ufeff${head}"Refund, when?",fourteen days|14 days,/Handbook/refunds.md,,refunds|money,\nMars?,,,,,false\n`
  expect((await add(csv)).body.data).toEqual({ added: 2, left_out: 0 })
  expect((await add(csv)).body.data).toEqual({ added: 0, left_out: 2 })
  expect(await list()).toMatchObject([
    {
      question: 'Refund, when?',
      expected_answers: ['fourteen days', '14 days'],
      expected_files: [{ data_source_id: app.refunds, title: 'refunds.md', passage: null }],
      tags: ['refunds', 'money'],
      answerable: true,
      source: 'csv',
    },
    { question: 'Mars?', answerable: false },
  ])
})

test('sets and cases are listed, changed and deleted, and the audit log has it', async () => {
  const app = await start()
  const set = await app.newSet(cases(app))
  const path = `${app.base}/evaluation-sets/${set}`
  expect((await app.succeed('GET', `${app.base}/evaluation-sets`)).data.evaluation_sets).toMatchObject([
    { id: set, name: 'Everyday', case_count: 3, judge_model: null },
  ])
  expect((await app.succeed('PATCH', path, { name: 'Weekly' })).data).toMatchObject({ name: 'Weekly', case_count: 3 })
  expect((await app.succeed('GET', path)).data.name).toBe('Weekly')
  const [first, , third] = (await app.succeed('GET', `${path}/cases`)).data.cases
  const changed = await app.succeed('PATCH', `${path}/cases/${first.id}`, { tags: ['money'] })
  expect(changed.data).toMatchObject({ tags: ['money'], expected_answers: ['fourteen days'] })
  expect(await app.call('PATCH', `${path}/cases/${third.id}`, { expected_answers: ['x'] })).toMatchObject({
    status: 400,
    body: { message: 'expected_answers: must be empty where answerable is false' },
  })
  await app.succeed('DELETE', `${path}/cases/${first.id}`)
  expect(await app.call('DELETE', `${path}/cases/${first.id}`)).toMatchObject({
    status: 404,
    body: { error_code: 'EVALUATION_CASE_NOT_FOUND' },
  })
  expect(await app.call('PATCH', path, { judge_model: 'builtin/extractive' })).toMatchObject({ status: 400 })
  const run = await app.untilEnded((await app.startRun(set)).id)
  const listed = await app.succeed('GET', `${app.base}/evaluation-runs?evaluation_set_id=${set}`)
  expect(listed.data.evaluation_runs).toMatchObject([{ id: run.id, case_count: 2 }])
  await app.succeed('DELETE', path)
  expect(await app.call('GET', path)).toMatchObject({ body: { error_code: 'EVALUATION_SET_NOT_FOUND' } })
  expect(await app.call('GET', `${app.base}/evaluation-runs/${run.id}`)).toMatchObject({
    body: { error_code: 'EVALUATION_RUN_NOT_FOUND' },
  })
  expect(await app.call('POST', `${app.base}/evaluation-sets/${await app.newSet()}/runs`)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('add some first') },
  })
  const rows = await app.services.db
    .selectFrom('audit_entry')
    .select(['action', 'details'])
    .where('action', 'like', 'evaluation%')
    .execute()
  const actions = rows.map(({ action }) => action)
  expect([...new Set(actions)].sort()).toEqual([
    'evaluation_run.started',
    'evaluation_set.created',
    'evaluation_set.deleted',
    'evaluation_set.updated',
  ])
  expect(JSON.stringify(rows)).not.toContain('refund')
})

test('cases are made of documents, and of answers that people rated', async () => {
  const app = await start()
  const set = await app.newSet()
  const path = `${app.base}/evaluation-sets/${set}`
  expect((await app.succeed('POST', `${path}/cases`, { from: 'documents', limit: 5 })).data).toEqual({
    added: 3,
    left_out: 0,
  })
  const chat = await app.newChat({}, app.agent)
  const { data } = (await app.ask('Within how many days is a refund paid?', {}, chat)).body
  await app.succeed('POST', `${chat}/message/${data.message_id}/feedback`, { rating: 'up' })
  expect((await app.succeed('POST', `${path}/cases`, { from: 'rated_messages' })).data.added).toBe(1)
  const { cases: made } = (await app.succeed('GET', `${path}/cases`)).data
  expect(made).toContainEqual(
    expect.objectContaining({
      question: 'How long refunds take?',
      expected_answers: ['A refund is paid within fourteen days after the parcel has come back.'],
      source: 'document',
    }),
  )
  expect(made.at(-1)).toMatchObject({
    question: 'Within how many days is a refund paid?',
    source: 'rated_message',
    tags: ['rated up'],
    expected_files: [{ data_source_id: app.refunds }],
  })
  const run = await app.untilEnded((await app.startRun(set)).id)
  expect(run.totals.measures.recall_at_10).toEqual({ value: 1, cases: 4 })
  await app.succeed('DELETE', `${chat}/message/${data.message_id}`)
  expect((await app.succeed('GET', `${path}/cases`)).data.total).toBe(3)
  expect(await app.results(run.id)).toHaveLength(3)
})

test('a model judges answers by a rubric, and writes questions about documents', async () => {
  const app = await start({
    script: ({ body }) => {
      const tool = body.tools?.[0]?.function?.name
      const given =
        tool === 'grade'
          ? { score: 4, declined: false, reason: 'Right, with an addition' }
          : { question: 'Who pays for the way back?', answer: 'The shop pays for the parcel' }
      return { steps: [{ toolCall: { name: tool, arguments: given } }] }
    },
  })
  const written = await app.newSet()
  const wanted = { from: 'documents', limit: 4, model: 'openai-compatible/any' }
  // One passage holds the answer that the model claims each time; the others are left out.
  expect((await app.succeed('POST', `${app.base}/evaluation-sets/${written}/cases`, wanted)).data.added).toBe(1)
  expect((await app.succeed('GET', `${app.base}/evaluation-sets/${written}/cases`)).data.cases).toMatchObject([
    { question: 'Who pays for the way back?', expected_files: [{ data_source_id: app.refunds }], source: 'document' },
  ])
  const set = await app.newSet(cases(app).slice(0, 1), { judge_model: 'openai-compatible/any' })
  const run = await app.untilEnded((await app.startRun(set)).id)
  expect(run.totals.measures.judge_score).toEqual({ value: 0.75, cases: 1 })
  expect((await app.results(run.id))[0]).toMatchObject({ judge_reason: 'Right, with an addition', judge_error: null })
})

test('a run is cancelled, ends with its quota, and goes with the agent', async () => {
  const app = await start({ alone: true, script: () => ({ silence: true }) })
  await app.succeed('PATCH', app.base, { model: null })
  const set = await app.newSet(cases(app))
  const { id } = await app.startRun(set)
  await expect.poll(async () => app.model.requests.length, { timeout: 10_000 }).toBe(2)
  const cancelled = (await app.succeed('POST', `${app.base}/evaluation-runs/${id}/cancel`)).data
  expect(cancelled).toMatchObject({ status: 'cancelled', done_count: 0 })
  await Promise.all(app.model.requests.map(({ left }) => left))

  await app.succeed('PATCH', app.base, { model: 'builtin/extractive' })
  await app.succeed('PUT', `/workspaces/${app.owner.workspaceId}/quotas`, {
    subject: { type: 'workspace' },
    period: 'day',
    max_messages: 2,
  })
  const ended = await app.untilEnded((await app.startRun(set)).id)
  expect(ended).toMatchObject({ status: 'failed', done_count: 2, error_message: expect.stringContaining('quota') })
  expect((await app.call('POST', `${app.base}/evaluation-sets/${set}/runs`)).status).toBe(429)

  await app.succeed('DELETE', app.base)
  const { db } = app.services
  const count = async (table: 'evaluation_set' | 'evaluation_result') =>
    (await db.selectFrom(table).select('organization_id').execute()).length
  await expect
    .poll(async () => [await count('evaluation_set'), await count('evaluation_result')], { timeout: 10_000 })
    .toEqual([0, 0])
})
