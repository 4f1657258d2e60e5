import { expect, test } from 'vitest'
import type { TaskKind } from '../../../src/queue/catalog.ts'
import { driveOf, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { tasksOf } from '../../support/tasks/tasks.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'

async function start(options: { work?: boolean; alone?: boolean } = {}) {
  const app = await startTestApp({}, options)
  const drive = driveOf(app)
  const titles = async (folderId: string, query = '') =>
    (await drive.listFiles(folderId, query)).data_sources.map((item: any) => item.title ?? item.name)
  const rowOf = (id: string) =>
    app.services.db.selectFrom('data_source').selectAll().where('id', '=', id).executeTakeFirst()
  const tasks = async (kind: TaskKind) => (await tasksOf(app.services.db, kind)).map(({ payload }) => payload)
  const link = (id: string) =>
    app.services.db.updateTable('folder').set({ integration_id: UNKNOWN_ID }).where('id', '=', id).execute()
  return { ...app, ...drive, titles, rowOf, tasks, link }
}

const noFolder = { status: 404, body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' } }
const noFile = { status: 404, body: { error_code: 'DATA_SOURCE_NOT_FOUND' } }
const invalid = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }
const linked = { status: 400, body: { error_code: 'KNOWLEDGE_BASE_LINKED' } }

test('a file that is added is pending', async () => {
  const { newFolder, upload, call, listFiles } = await start()
  const folder = await newFolder('a')
  const file_id = await upload('# Hello', 'hello.md')
  const fields = { file_id, data_source_title: ' Hello ' }
  const { status, body } = await call('POST', `${KB}/${folder}/data-sources/documents`, fields)
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'success',
    data: {
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      title: 'Hello',
      source_type: 'document',
      status: 'pending',
      status_reason: null,
      indexing: { stage: 'queued', done: 0, total: null, attempt: 0, reason_code: null },
      knowledge_base_id: folder,
      file_name: 'hello.md',
      media_type: 'text/markdown',
      size_bytes: 7,
      metadata: {},
      version: 1,
      found_version: null,
      virtual_user_id: null,
      is_restricted: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  })
  const { data_sources } = await listFiles(folder)
  expect(data_sources[0]).toMatchObject({ id: body.data._id, title: 'Hello', source_type: 'document' })
})

test('adding a file asks for it to be indexed, unless trigger_indexing is false', async () => {
  const { newFolder, addFile, tasks, rowOf } = await start({ work: false })
  const folder = await newFolder('a')
  const indexed = await addFile(folder, { index: true })
  const waiting = await addFile(folder, { index: false })
  expect(await tasks('retrieval.index')).toEqual([{ dataSourceId: indexed, generation: 1 }])
  expect(await rowOf(waiting)).toMatchObject({ status: 'pending', index_generation: 1 })
})

test('a folder that is linked to an integration takes no files, and a missing file is reported first', async () => {
  const { newFolder, upload, call, link, addFile, tasks } = await start()
  const folder = await newFolder('a')
  const inside = await addFile(folder)
  const other = await newFolder('b')
  const outside = await addFile(other)
  await link(folder)
  const documents = `${KB}/${folder}/data-sources/documents`
  expect(await call('POST', documents, { file_id: await upload('x'), data_source_title: 'x' })).toMatchObject(linked)
  expect((await call('POST', documents, { file_id: UNKNOWN_ID, data_source_title: 'x' })).status).toBe(404)
  const into = await call('PATCH', `${KB}/${other}/data-sources/${outside}`, { knowledge_base_id: folder })
  expect(into).toMatchObject(linked)
  const outOf = await call('PATCH', `${KB}/${folder}/data-sources/${inside}`, { knowledge_base_id: other })
  expect(outOf).toMatchObject(linked)
  expect(await tasks('retrieval.move')).toEqual([])
})

test('every endpoint of files answers 404 for a folder that is unknown, malformed, deleted or not ours', async () => {
  const { newFolder, addFile, call, succeed, services } = await start()
  const mine = await newFolder('a')
  const file = await addFile(mine)
  const deleted = await newFolder('b')
  await succeed('DELETE', `${KB}/${deleted}`)
  const other = await services.access.createOrganization('Other')
  for (const [id, key] of [[UNKNOWN_ID], ['nonsense'], [deleted], [mine, other.apiKey]] as const) {
    const options = key ? { key } : {}
    const at = `${KB}/${id}/data-sources`
    const requests = [
      ['GET', at],
      ['GET', `${at}/${file}`],
      ['PATCH', `${at}/${file}`, {}],
      ['POST', `${at}/documents`, { file_id: UNKNOWN_ID, data_source_title: 'x' }],
      ['GET', `${at}/actions/download?data_source_id=${file}`],
      ['POST', `${at}/actions/index?data_source_id=${file}`],
      ['DELETE', `${at}?data_source_id=${file}`],
    ] as const
    for (const [method, path, body] of requests) {
      expect(await call(method, path, body, options), `${method} ${path}`).toMatchObject(noFolder)
    }
  }
  expect((await call('GET', `${KB}/${mine}/data-sources/${file}`)).status).toBe(200)
})

test('the list is newest first, ties by id, in pages', async () => {
  const { newFolder, addFile, titles, listFiles, services } = await start()
  const folder = await newFolder('a')
  for (const title of ['1', '2', '3', '4', '5']) await addFile(folder, { title })
  expect(await titles(folder)).toEqual(['5', '4', '3', '2', '1'])
  await services.db.updateTable('data_source').set({ created_at: '2026-01-01T00:00:00.000Z' }).execute()
  expect(await titles(folder)).toEqual(['5', '4', '3', '2', '1'])
  expect(await titles(folder, 'page_size=2')).toEqual(['5', '4'])
  expect(await titles(folder, 'page_size=2&page=2')).toEqual(['1'])
  const past = await listFiles(folder, 'page=7')
  expect(past).toMatchObject({ data_sources: [], data_sources_count: { total: 5, successful: 0 } })
})

test('a page has 20 items unless asked otherwise, up to 500', async () => {
  const { newFolder, addFile, titles, call } = await start()
  const folder = await newFolder('a')
  await Promise.all(Array.from({ length: 21 }, () => addFile(folder)))
  expect(await titles(folder)).toHaveLength(20)
  expect(await titles(folder, 'page_size=500')).toHaveLength(21)
  for (const query of ['page_size=0', 'page_size=501', 'page=-1', 'page=1.5', 'page=abc', 'page=', 'recursive=yes']) {
    expect(await call('GET', `${KB}/${folder}/data-sources?${query}`), query).toMatchObject(invalid)
  }
})

test('successful counts the indexed files among all that match', async () => {
  const { newFolder, addFile, listFiles, services } = await start()
  const folder = await newFolder('a')
  for (const title of ['x1', 'x2', 'y']) await addFile(folder, { title })
  await services.db.updateTable('data_source').set({ status: 'successful' }).where('title', '!=', 'x2').execute()
  expect((await listFiles(folder, 'page_size=1')).data_sources_count).toEqual({ total: 3, successful: 2 })
  expect((await listFiles(folder, 'search_str=x')).data_sources_count).toEqual({ total: 2, successful: 1 })
  expect((await listFiles(folder, 'recursive=1&search_str=X')).data_sources_count).toEqual({ total: 2, successful: 1 })
})

test('search_str is a part of the title or folder name, whatever its case, taken literally', async () => {
  const { newFolder, addFile, titles, call } = await start()
  const folder = await newFolder('root')
  await newFolder('Über uns', folder)
  for (const title of ['ÜBERSICHT.pdf', 'Report_2024.pdf', 'Report 100%.pdf', 'back\\slash'])
    await addFile(folder, { title })
  const search = (text: string, query = '') => titles(folder, `search_str=${encodeURIComponent(text)}&${query}`)
  expect(await search('über')).toEqual(['ÜBERSICHT.pdf'])
  expect(await search('u\u0308BER', 'recursive=true')).toEqual(['ÜBERSICHT.pdf', 'Über uns'])
  expect(await search('T_2')).toEqual(['Report_2024.pdf'])
  expect(await search('0%')).toEqual(['Report 100%.pdf'])
  expect(await search('k\\s')).toEqual(['back\\slash'])
  expect(await search('%')).toEqual(['Report 100%.pdf'])
  expect(await search('')).toHaveLength(4)
  expect(await search('nothing')).toEqual([])
  expect(await call('GET', `${KB}/${folder}/data-sources?search_str=%00`)).toMatchObject(invalid)
})

test('a single file is found in its folder only', async () => {
  const { newFolder, addFile, call } = await start()
  const folder = await newFolder('a')
  const other = await newFolder('b')
  const file = await addFile(folder, { title: 'x' })
  const { status, body } = await call('GET', `${KB}/${folder}/data-sources/${file}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'success',
    data: { id: file, _id: file, title: 'x', knowledge_base_id: folder },
  })
  expect(await call('GET', `${KB}/${other}/data-sources/${file}`)).toMatchObject(noFile)
  for (const id of [UNKNOWN_ID, 'nonsense', file.toUpperCase()]) {
    expect(await call('GET', `${KB}/${folder}/data-sources/${id}`)).toMatchObject(noFile)
    expect(await call('PATCH', `${KB}/${folder}/data-sources/${id}`, {})).toMatchObject(noFile)
  }
})

test('a file is renamed', async () => {
  const { newFolder, addFile, call, titles } = await start()
  const folder = await newFolder('a')
  const file = await addFile(folder, { title: 'old' })
  const at = `${KB}/${folder}/data-sources/${file}`
  const { body } = await call('PATCH', at, { data_source_title: ' NEW ' })
  expect(body.data).toMatchObject({ _id: file, title: 'NEW' })
  expect(await titles(folder, 'search_str=new')).toEqual(['NEW'])
  expect(await titles(folder, 'search_str=old')).toEqual([])
  for (const changes of [{ data_source_title: '' }, { data_source_title: null }, { knowledge_base_id: null }]) {
    expect(await call('PATCH', at, changes)).toMatchObject(invalid)
  }
})

test('a file moves to another folder, in the index too', async () => {
  const { newFolder, addFile, call, titles, tasks } = await start({ work: false })
  const folder = await newFolder('a')
  const other = await newFolder('b')
  const file = await addFile(folder, { title: 'x' })
  const at = `${KB}/${folder}/data-sources/${file}`
  expect(await call('PATCH', at, { knowledge_base_id: UNKNOWN_ID })).toMatchObject(noFolder)
  expect(await call('PATCH', at, { knowledge_base_id: 'nonsense' })).toMatchObject(noFolder)
  expect((await call('PATCH', at, { knowledge_base_id: folder })).status).toBe(200)
  expect(await tasks('retrieval.move')).toEqual([])
  const { body } = await call('PATCH', at, { knowledge_base_id: other, data_source_title: 'y' })
  expect(body.data).toMatchObject({ title: 'y', knowledge_base_id: other })
  expect(await titles(folder)).toEqual([])
  expect(await titles(other)).toEqual(['y'])
  expect(await tasks('retrieval.move')).toEqual([{ dataSourceId: file }])
  expect(await call('GET', at)).toMatchObject(noFile)
})

test('indexing again makes files pending and outdates what was asked for before', async () => {
  const { newFolder, addFile, call, tasks, services, rowOf } = await start({ work: false })
  const folder = await newFolder('a')
  const other = await newFolder('b')
  const one = await addFile(folder, { title: 'one' })
  const two = await addFile(folder, { title: 'two', index: true })
  const elsewhere = await addFile(other)
  await services.db.updateTable('data_source').set({ status: 'failed', status_reason: 'broken' }).execute()
  const ids = [two, one, elsewhere, UNKNOWN_ID, 'nonsense'].join()
  const { status, body } = await call('POST', `${KB}/${folder}/data-sources/actions/index?data_source_id=${ids}`)
  expect(status).toBe(200)
  expect(body.message).toMatch(/^2 data sources /)
  expect(body.data.data_sources).toMatchObject([
    { id: two, status: 'pending', status_reason: null },
    { id: one, status: 'pending', status_reason: null },
  ])
  expect(await rowOf(one)).toMatchObject({ status: 'pending', status_reason: null, index_generation: 2 })
  expect(await rowOf(elsewhere)).toMatchObject({ status: 'failed', index_generation: 1 })
  const asked = await tasks('retrieval.index')
  expect(asked[0]).toEqual({ dataSourceId: two, generation: 1 })
  // Tasks of one transaction have no order among themselves.
  expect(new Set(asked.slice(1))).toEqual(
    new Set([
      { dataSourceId: two, generation: 2 },
      { dataSourceId: one, generation: 2 },
    ]),
  )
})

test('wrong lists of ids are refused with 400', async () => {
  const { newFolder, call } = await start()
  const at = `${KB}/${await newFolder('a')}/data-sources`
  await everyRow(['', 'data_source_id=', 'data_source_id=,%20,', `data_source_id=${many(101)}`], async (query) => {
    expect(await call('DELETE', `${at}?${query}`)).toMatchObject(invalid)
    expect(await call('GET', `${at}/actions/download?${query}`)).toMatchObject(invalid)
    expect(await call('POST', `${at}/actions/index?${query}`)).toMatchObject(invalid)
  })
})

test('files are deleted, ids that are not in the folder are skipped, and the message says how many', async () => {
  const { newFolder, addFile, call, titles, listFiles } = await start()
  const folder = await newFolder('a')
  const other = await newFolder('b')
  const [one, two] = [await addFile(folder), await addFile(folder)]
  await addFile(folder, { title: 'stays' })
  const elsewhere = await addFile(other)
  const remove = async (...ids: string[]) =>
    (await call('DELETE', `${KB}/${folder}/data-sources?data_source_id=${ids.join()}`)).body
  expect(await remove(elsewhere, UNKNOWN_ID, 'nonsense')).toEqual({
    status: 'success',
    message: '0 data sources deleted',
  })
  expect(await remove(one, two, one, elsewhere)).toMatchObject({ message: '2 data sources deleted' })
  expect(await remove(one, two)).toMatchObject({ message: '0 data sources deleted' })
  expect(await titles(folder)).toEqual(['stays'])
  expect((await listFiles(other)).data_sources_count.total).toBe(1)
  expect(await call('DELETE', `${KB}/${folder}/data-sources?data_source_id=${many(100)}`)).toMatchObject({
    status: 200,
  })
})

test('files of one upload share its bytes until the last of them and the upload are gone', async () => {
  const { newFolder, upload, succeed, services, call, tasks } = await start({ alone: true })
  const folder = await newFolder('a')
  const file_id = await upload('x')
  const add = async () =>
    (await succeed('POST', `${KB}/${folder}/data-sources/documents`, { file_id, data_source_title: 'x' })).data._id
  const [one, two] = [await add(), await add()]
  async function keys() {
    let count = 0
    for await (const _key of services.blobs.keys()) count++
    return count
  }
  const remove = (id: string) => call('DELETE', `${KB}/${folder}/data-sources?data_source_id=${id}`)
  await services.db.deleteFrom('upload').execute()
  await remove(one)
  await expect.poll(() => tasks('drive.remove-blobs')).toEqual([])
  expect(await keys()).toBe(1)
  await remove(two)
  await expect.poll(keys).toBe(0)
})

function many(count: number): string {
  return Array.from({ length: count }, (_, index) => index.toString(16).padStart(24, '0')).join()
}
