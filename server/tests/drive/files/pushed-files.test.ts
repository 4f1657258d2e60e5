import { describe, expect, test, vi } from 'vitest'
import { driveOf } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { answer } from '../../support/models/model-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

async function start() {
  const app = await startTestApp()
  const drive = driveOf(app)
  const folder = await drive.newFolder('Wiki')
  const base = `/knowledge-bases/${folder}/data-sources`
  const pathOf = (id: string) => `${base}/by-external-id/${encodeURIComponent(id)}`
  const put = (id: string, body: object) => drive.succeed('PUT', pathOf(id), body)
  const titlesFor = async (query: string) =>
    (await drive.succeed('GET', `/knowledge-bases/${folder}/search?query=${query}`)).data.results.map(
      ({ title }: { title: string }) => title,
    )
  return { ...app, ...drive, folder, base, pathOf, put, titlesFor }
}

const MAY = '2026-05-01T10:00:00.000Z'
const JUNE = '2026-06-01T12:00:00+02:00'

test('a pushed file is made, replaced under its id, and left alone by the same again; older versions are refused', async () => {
  const { put, pathOf, titlesFor, call, succeed, upload, listFiles, folder } = await start()
  const id = 'wiki/page 7?ü'
  const page = {
    title: 'Kilns.md',
    text: '# Kilns\n\nA kiln is heated slowly.',
    metadata: { space: 'HR' },
    updated_at: MAY,
  }
  const made = await put(id, page)
  expect(made).toMatchObject({
    outcome: 'created',
    data: { external_id: id, external_updated_at: MAY, title: 'Kilns.md', media_type: 'text/markdown' },
  })
  expect(made.data.metadata).toEqual({ space: 'HR' })
  await vi.waitFor(async () => expect(await titlesFor('heated')).toEqual(['Kilns.md']), {
    timeout: 60_000,
    interval: 50,
  })
  expect(await put(id, page)).toMatchObject({ outcome: 'unchanged', data: { id: made.data.id, status: 'successful' } })

  const older = await call('PUT', pathOf(id), { ...page, text: 'Older.', updated_at: '2026-04-30T10:00:00Z' })
  expect(older).toMatchObject({ status: 409, body: { error_code: 'DATA_SOURCE_OUTDATED' } })
  expect(older.body.message).toContain(MAY)
  const replaced = await put(id, { title: 'Kilns.md', text: 'A furnace is heated quickly.', updated_at: JUNE })
  expect(replaced).toMatchObject({
    outcome: 'replaced',
    data: { id: made.data.id, metadata: { space: 'HR' }, external_updated_at: '2026-06-01T10:00:00.000Z' },
  })
  await vi.waitFor(async () => expect(await titlesFor('furnace')).toEqual(['Kilns.md']), {
    timeout: 60_000,
    interval: 50,
  })
  expect(await titlesFor('slowly')).toEqual([])
  const file_id = await upload('A furnace is heated quickly.', 'other.txt')
  expect(await put(id, { title: 'Furnaces', file_id, metadata: {} })).toMatchObject({
    outcome: 'updated',
    data: { title: 'Furnaces', metadata: {}, external_updated_at: '2026-06-01T10:00:00.000Z' },
  })
  expect((await succeed('GET', pathOf(id))).data).toMatchObject({ id: made.data.id, title: 'Furnaces' })

  expect((await call('DELETE', `${pathOf(id)}?updated_at=${MAY}`)).status).toBe(409)
  expect((await succeed('DELETE', pathOf(id))).message).toBe('1 data source deleted')
  expect((await succeed('DELETE', pathOf(id))).message).toBe('0 data sources deleted')
  expect(await call('GET', pathOf(id))).toMatchObject({ status: 404, body: { error_code: 'DATA_SOURCE_NOT_FOUND' } })
  expect((await listFiles(folder)).data_sources).toEqual([])
})

test('a batch tells of each item what became of it, in their order; pushes of one id at once make one file', async () => {
  const { base, pathOf, put, succeed, call, listFiles, folder, newFolder } = await start()
  await put('old', { title: 'Old', text: 'Old text.', updated_at: MAY })
  const many = Array.from({ length: 995 }, (_, at) => ({ external_id: `n${at}`, title: `N ${at}`, text: `Text ${at}` }))
  const items = [
    { external_id: 'old', title: 'Old', text: 'Older.', updated_at: '2020-01-01T00:00:00Z' },
    { external_id: 'gone', delete: true },
    { external_id: 'n0', title: 'First', text: 'First text' },
    { external_id: 'lost', title: 'Lost', file_id: '0123456789abcdef01234567' },
    { external_id: 'n0', delete: true },
    ...many,
  ]
  const { data } = await succeed('POST', `${base}/batch`, { items })
  expect(data.items.slice(0, 6)).toMatchObject([
    { external_id: 'old', outcome: null, error: { error_code: 'DATA_SOURCE_OUTDATED' } },
    { external_id: 'gone', outcome: 'unchanged', data_source_id: null, error: null },
    { external_id: 'n0', outcome: 'created' },
    { external_id: 'lost', outcome: null, error: { error_code: 'FILE_NOT_FOUND' } },
    { external_id: 'n0', outcome: 'deleted' },
    { external_id: 'n0', outcome: 'created' },
  ])
  expect(data.items).toHaveLength(1000)
  const same = await Promise.all(
    Array.from({ length: 5 }, () => call('PUT', pathOf('race'), { title: 'Race', text: 'One text.' })),
  )
  expect(same.map(({ body }) => body.outcome).sort()).toEqual(['created', ...Array(4).fill('unchanged')])
  expect((await listFiles(folder)).data_sources_count.total).toBe(997)

  const other = await newFolder('Other')
  const inOther = `/knowledge-bases/${other}/data-sources`
  await succeed('PUT', `${inOther}/by-external-id/race`, { title: 'Race', text: 'Another.' })
  const { id } = same[0]!.body.data
  expect(await call('PATCH', `${base}/${id}`, { knowledge_base_id: other })).toMatchObject({
    status: 409,
    body: { error_code: 'EXTERNAL_ID_TAKEN' },
  })
  await succeed('DELETE', `${inOther}/by-external-id/race`)
  await succeed('PATCH', `${base}/${id}`, { knowledge_base_id: other })
  expect((await succeed('GET', `${inOther}/by-external-id/race`)).data.id).toBe(id)
})

test('what cannot be pushed is refused with a reason', async () => {
  const { call, base, pathOf } = await start()
  const rows: [body: object, words: string][] = [
    [{ title: 'x' }, 'is required, or file_id instead of it'],
    [{ title: 'x', text: 'a', file_id: 'b' }, 'must not be given with file_id'],
    [{ title: 'x', text: '' }, 'must not be empty'],
    [{ title: '', text: 'a' }, 'title'],
    [{ title: 'x', text: 'a', updated_at: 'yesterday' }, 'updated_at'],
    [{ title: 'x', text: 'a', who: 'all' }, 'who'],
  ]
  await everyRow(rows, async (body, words) => {
    const reply = await call('PUT', pathOf('one'), body)
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.body)).toContain(words)
  })
  expect((await call('PUT', pathOf('x'.repeat(257)), { title: 'x', text: 'a' })).status).toBe(400)
  expect((await call('POST', `${base}/batch`, { items: [] })).status).toBe(400)
  expect((await call('PUT', pathOf('one'), { title: 'x', file_id: 'nonsense' })).status).toBe(404)
})

describe.each(STACKS)('on %s', (stack) => {
  test('a batch that a kill cuts off is finished by sending it again, and no file is there twice or half', async () => {
    const { first, again } = await startRestartable(() => answer('Yes.'), { stack })
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Wiki' })).body.data.id
    const base = `/knowledge-bases/${folder}/data-sources`
    const items = Array.from({ length: 300 }, (_, at) => ({
      external_id: `n${at}`,
      title: `N ${at}`,
      text: `Text ${at}`,
      metadata: { at },
    }))
    const cutOff = first.call('POST', `${base}/batch`, { items }).catch(() => 'cut off')
    await expect
      .poll(async () => (await first.call('GET', base)).body.data.data_sources_count.total, { interval: 5 })
      .toBeGreaterThan(10)
    await first.end('SIGKILL')
    expect(await cutOff).toBe('cut off')
    const second = await again()
    const { body } = await second.call('POST', `${base}/batch`, { items })
    const outcomes = body.data.items.map(({ outcome }: { outcome: string }) => outcome)
    const known = outcomes.indexOf('created')
    expect(known).toBeGreaterThan(10)
    expect(outcomes).toEqual(items.map((_, at) => (at < known ? 'unchanged' : 'created')))
    const listed = (await second.call('GET', `${base}?page_size=500`)).body.data
    expect(new Set(listed.data_sources.map(({ title }: { title: string }) => title)).size).toBe(300)
    expect(listed.data_sources_count.total).toBe(300)
    expect(listed.data_sources.every(({ metadata }: any) => typeof metadata.at === 'number')).toBe(true)
  })
})
