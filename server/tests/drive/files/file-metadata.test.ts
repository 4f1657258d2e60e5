import { expect, test, vi } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { textOf } from '../../support/chats/events.ts'
import { driveOf, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { startReceiver } from '../../support/http/receiver.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const FILES = {
  fees: { department: 'Finance', year: 2024, signed: true, valid_from: '2024-05-01', tags: ['fees', 'kiln'] },
  leave: { department: 'people', year: 2025, signed: false, valid_from: '2025-02-01T09:00:00+01:00', tags: [] },
  plain: {},
}

/** A folder with three files about one subject, each with metadata of its own. */
async function start() {
  const app = await startTestChat({ settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' } })
  const drive = driveOf(app)
  const { succeed, upload } = drive
  const folder = await drive.newFolder('Rules')
  const path = `/knowledge-bases/${folder}`
  const ids: Record<string, string> = {}
  for (const [name, metadata] of Object.entries(FILES)) {
    const file_id = await upload(`The telescope of ${name} is heavy.`, `${name}.txt`)
    const fields = { file_id, data_source_title: `${name}.txt`, metadata }
    ids[name] = (await succeed('POST', `${path}/data-sources/documents`, fields)).data._id
    const status = async () => (await succeed('GET', `${path}/data-sources/${ids[name]}`)).data.status
    await vi.waitFor(async () => expect(await status()).toBe('successful'), { timeout: 60_000, interval: 50 })
  }
  const query = (filters: unknown) => `filters=${encodeURIComponent(JSON.stringify(filters))}`
  const titlesOf = (found: { title: string }[]) => [...new Set(found.map(({ title }) => title.split('.')[0]))].sort()
  const search = async (filters: unknown) =>
    titlesOf((await succeed('GET', `${path}/search?query=telescope&${query(filters)}`)).data.results)
  const list = async (filters: unknown, more = '') =>
    titlesOf((await succeed('GET', `${path}/data-sources?${query(filters)}${more}`)).data.data_sources)
  return { ...app, ...drive, folder, path, ids, query, search, list, titlesOf }
}

test('searches and listings find the files whose metadata meets the filter, from the moment that it is set', async () => {
  const { search, list, path, ids, succeed, call, query } = await start()
  const rows: [condition: object, found: string[]][] = [
    [{ key: 'department', op: 'eq', value: 'finance' }, ['fees']],
    [{ key: 'department', op: 'ne', value: 'finance' }, ['leave', 'plain']],
    [{ key: 'department', op: 'in', value: ['FINANCE', 'people', 7] }, ['fees', 'leave']],
    [{ key: 'tags', op: 'eq', value: 'kiln' }, ['fees']],
    [{ key: 'tags', op: 'exists' }, ['fees', 'leave']],
    [{ key: 'tags', op: 'exists', value: false }, ['plain']],
    [{ key: 'signed', op: 'eq', value: true }, ['fees']],
    [{ key: 'year', op: 'eq', value: '2024' }, []],
    [{ key: 'year', op: 'gte', value: 2025 }, ['leave']],
    [{ key: 'year', op: 'lt', value: 2025 }, ['fees']],
    [{ key: 'valid_from', op: 'gt', value: '2024-05-01' }, ['leave']],
    [{ key: 'valid_from', op: 'lte', value: '2025-02-01T08:00:00Z' }, ['fees', 'leave']],
    [{ key: "o'clock", op: 'eq', value: "'; drop table data_source" }, []],
  ]
  await everyRow(rows, async (condition, found) => {
    expect(await search({ all: [condition] })).toEqual(found)
    expect(await list({ any: [condition] })).toEqual(found)
    expect(await list({ any: [condition] }, '&recursive=true')).toEqual(found)
  })
  const finance = { key: 'department', op: 'eq', value: 'finance' }
  const people = { key: 'department', op: 'eq', value: 'people' }
  expect(await search({ any: [finance, people] })).toEqual(['fees', 'leave'])
  expect(await search({ all: [finance, people] })).toEqual([])
  expect(await search({ all: [{ key: 'signed', op: 'exists' }], any: [people] })).toEqual(['leave'])

  const changed = await succeed('PATCH', `${path}/data-sources/${ids.plain}`, { metadata: { department: 'Finance' } })
  expect(changed.data.metadata).toEqual({ department: 'Finance' })
  expect(await search({ all: [finance] })).toEqual(['fees', 'plain'])
  const data_source_ids = [ids.fees, ids.plain, UNKNOWN_ID]
  const many = await succeed('POST', `${path}/data-sources/actions/metadata`, {
    data_source_ids,
    set: { owner: 'Board' },
    remove: ['department'],
  })
  expect(many.message).toBe('2 data sources changed')
  expect(await search({ all: [finance] })).toEqual([])
  expect((await succeed('GET', `/data-sources/${ids.fees}`)).data.metadata).toEqual({
    ...FILES.fees,
    department: undefined,
    owner: 'Board',
  })
  const hit = (await succeed('GET', `${path}/search?query=telescope&${query({ all: [people] })}`)).data.results[0]
  expect(hit.metadata).toEqual(FILES.leave)
  const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key ${at}`, at]))
  const tooMuch = await call('POST', `${path}/data-sources/actions/metadata`, { data_source_ids, set: fifty })
  expect(tooMuch.status).toBe(400)
  await succeed('DELETE', `${path}/data-sources?data_source_id=${ids.leave}`)
  expect(await list({ all: [people] })).toEqual([])
})

test('an explained search tells what it was narrowed to', async () => {
  const { succeed, path, folder, query } = await start()
  const explained = async (more: string) => {
    const { results } = (await succeed('GET', `${path}/search?query=telescope&explain=true${more}`)).data
    return results.map(({ explanation }: any) => explanation.filters)
  }
  const filters = { any: [{ key: 'year', op: 'gte', value: 2025 }] }
  const inForce = { knowledge_base_id: folder, recursive: false, files: filters }
  expect(await explained(`&recursive=false&${query(filters)}`)).toEqual([inForce])
  const unfiltered = { knowledge_base_id: folder, recursive: true, files: null }
  expect(await explained('')).toEqual([unfiltered, unfiltered, unfiltered])
})

test('metadata and filters that are not valid are refused, and the message says why', async () => {
  const { path, ids, call, query, newAgent } = await start()
  const metadata: [value: unknown, words: string][] = [
    [{ list: Array.from({ length: 51 }, () => 1) }, '50 items'],
    [{ ' padded': 1 }, 'space'],
    [{ text: 'x'.repeat(501) }, '500 characters'],
    [{ nothing: null }, 'metadata'],
    [{ deep: { er: 1 } }, 'metadata'],
    [Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, at])), '50 keys'],
    ['text', 'metadata'],
  ]
  await everyRow(metadata, async (value, words) => {
    const { status, body } = await call('PATCH', `${path}/data-sources/${ids.fees}`, { metadata: value })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(words)
  })
  const change = { data_source_ids: [ids.fees], set: { year: 1, page: 2 }, remove: ['tags', 'page'] }
  expect(await call('POST', `${path}/data-sources/actions/metadata`, change)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('"page"') },
  })
  expect((await call('GET', `${path}/data-sources/${ids.fees}`)).body.data.metadata).toEqual(FILES.fees)
  const agent = await newAgent()
  const filters: [value: unknown, words: string][] = [
    [{}, 'all or any'],
    [{ all: [] }, 'all'],
    [{ none: [{ key: 'a', op: 'eq', value: 1 }] }, 'none'],
    [{ all: [{ key: 'a', op: 'like', value: 'x' }] }, 'op'],
    [{ all: [{ key: 'a', op: 'gt', value: 'soon' }] }, 'number or a date'],
    [{ all: [{ key: 'a', op: 'lt', value: '2026-02-30' }] }, 'number or a date'],
    [{ all: [{ key: 'a', op: 'lt', value: '2025-02-29T09:00:00Z' }] }, 'number or a date'],
    [{ all: [{ key: 'a', op: 'in', value: 'x' }] }, 'value'],
    [{ all: Array.from({ length: 21 }, () => ({ key: 'a', op: 'exists' })) }, '20 conditions'],
  ]
  await everyRow(filters, async (value, words) => {
    const replies = [
      await call('GET', `${path}/search?query=telescope&${query(value)}`),
      await call('PATCH', `/agents/${agent}`, { filters: value }),
    ]
    for (const { status, body } of replies) {
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain(words)
    }
  })
  for (const list of ['search?query=telescope&', 'data-sources?'])
    expect(await call('GET', `${path}/${list}filters=%7B`)).toMatchObject({
      status: 400,
      body: { message: 'filters: is not valid JSON' },
    })
})

test('filters of agent, job and question narrow each other, in all modes and for each tool', async () => {
  const { folder, ids, succeed, call, stream, newAgent, newChat, message, titlesOf, newFolder } = await start()
  const of = (key: string, op: string, value: unknown) => ({ all: [{ key, op, value }] })
  const agent = await newAgent({ model: 'builtin/extractive', knowledge_base_ids: [folder] })
  const path = await newChat({}, agent)
  const cited = async (id: string) => titlesOf((await message(id, path)).citations)
  const ask = async (fields: object = {}) => {
    const { data } = await succeed('POST', `${path}/query`, { query: 'What is heavy about the telescope?', ...fields })
    return cited(data.message_id)
  }
  const people = of('department', 'eq', 'people')
  const known = of('department', 'exists', true)
  expect(await ask({ filters: people })).toEqual(['leave'])
  expect(await ask({ filters: of('year', 'gt', 2030) })).toEqual([])
  const events = await (await stream('What is heavy?', { filters: people }, path)).rest()
  expect(textOf(events)).toContain('leave')
  const receiver = await startReceiver()
  await succeed('POST', `${path}/async_query`, {
    query: 'What is heavy about the telescope?',
    filters: people,
    webhook_url: `${receiver.url}/hook`,
  })
  expect(await cited(JSON.parse((await receiver.next()).body).data.id)).toEqual(['leave'])

  const changed = (await succeed('PATCH', `/agents/${agent}`, { filters: known })).data
  expect(changed.filters).toEqual(known)
  expect(await ask()).toEqual(['fees', 'leave'])
  expect(await ask({ filters: of('year', 'lt', 2025) })).toEqual(['fees'])
  const other = await newFolder('Other')
  const newJob = async (fields: object) =>
    (await succeed('POST', `/agents/${agent}/jobs`, { name: 'Look', ...fields })).data
  const job = await newJob({ filters: people })
  expect(job).toMatchObject({ filters: people, knowledge_base_ids: null })
  expect(await ask({ job_id: job.id })).toEqual(['leave'])
  expect(await ask({ job_id: job.id, filters: of('year', 'lt', 2025) })).toEqual([])
  const elsewhere = await newJob({ knowledge_base_ids: [other] })
  expect(await ask({ job_id: elsewhere.id })).toEqual([])
  await succeed('PATCH', `/agents/${agent}/jobs/${elsewhere.id}`, { knowledge_base_ids: [folder] })
  expect(await ask({ job_id: elsewhere.id })).toEqual(['fees', 'leave'])
  expect((await call('POST', `/agents/${agent}/jobs`, { name: 'x', knowledge_base_ids: [UNKNOWN_ID] })).status).toBe(
    404,
  )

  await succeed('PATCH', `/knowledge-bases/${folder}/data-sources/${ids.leave}`, { metadata: {} })
  expect(await ask()).toEqual(['fees'])
})
