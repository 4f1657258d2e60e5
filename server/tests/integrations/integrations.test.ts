import { mkdir, realpath, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import {
  blobKeysOf,
  directoriesOf,
  sourceFolder,
  sourceOf,
  startWithDirectory,
} from '../support/sources/linked-directories.ts'
import { tasksOf } from '../support/tasks/tasks.ts'
import { type Call, startTestApp } from '../support/test-app.ts'

const KB = '/knowledge-bases'
const linked = { status: 400, body: { error_code: 'KNOWLEDGE_BASE_LINKED' } }
const notFound = { status: 404, body: { error_code: 'INTEGRATION_NOT_FOUND' } }

test('only folders below the allowed ones are taken, and the refusal names the setting', async () => {
  const { source, create, call } = await startWithDirectory({ 'a.txt': 'a' })
  const outside = await sourceFolder()
  await symlink(outside, source.path('out'))
  for (const path of [outside, join(outside, 'absent'), '/', join(source.docs, '../..'), source.path('out')]) {
    const reply = await create(path)
    expect(reply, path).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', details: [{ path: 'config.path' }] },
    })
    expect(reply.body.message).toContain('DOCENT_DIRECTORY_ROOTS')
    expect(reply.body.message).not.toContain(source.root)
  }
  for (const path of ['docs', source.path('absent'), source.path('a.txt')])
    expect(await create(path)).toMatchObject({ status: 400, body: { details: [{ path: 'config.path' }] } })
  expect((await call('GET', KB)).body.data.org_knowledge_bases).toEqual([])
})

test("the server's own data is not a source, nor anything without the setting", async () => {
  const dataDir = await realpath(await sourceFolder())
  const app = await startTestApp({ DATA_DIR: dataDir, DOCENT_DIRECTORY_ROOTS: dirname(dataDir) })
  for (const path of [dataDir, dirname(dataDir), join(dataDir, 'blobs')]) {
    await mkdir(path, { recursive: true })
    const reply = await directoriesOf(app).create(path)
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining('DATA_DIR') } })
  }
  const without = await startTestApp()
  const reply = await directoriesOf(without).create(dataDir)
  expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining('DOCENT_DIRECTORY_ROOTS') } })
})

test('wrong fields of an integration are refused', async () => {
  const { source, create } = await startWithDirectory()
  await everyRow(
    [
      ['an unknown kind', { kind: 'fax' }, 'kind', 'directory'],
      ['no path', { config: {} }, 'config.path', ''],
      ['a path that is a number', { config: { path: 1 } }, 'config.path', ''],
      ['an interval of nothing', { config: { path: '/', interval_seconds: 0 } }, 'config.interval_seconds', ''],
      ['patterns that are no list', { config: { path: '/', include: '*' } }, 'config.include', ''],
      ['no name', { knowledge_base_name: ' ' }, 'knowledge_base_name', ''],
    ],
    async (_, fields, path, says) => {
      const reply = await create(source.docs, fields)
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
      expect(reply.body.message).toContain(says)
    },
  )
})

test('the folder is made where it is asked for, or the reason is reported', async () => {
  const { source, create, createAndSync, newFolder, call } = await startWithDirectory({ 'sub/a.txt': 'a' })
  const parent = await newFolder('Parent')
  const made = await createAndSync(source.docs, { parent_kb_id: parent })
  expect((await call('GET', `${KB}/${made.knowledge_base_id}`)).body.data.parent_kb_id).toBe(parent)
  expect(await create(source.docs, { parent_kb_id: parent })).toMatchObject({
    status: 409,
    body: { error_code: 'KNOWLEDGE_BASE_NAME_CONFLICT' },
  })
  expect(await create(source.docs, { parent_kb_id: UNKNOWN_ID })).toMatchObject({
    status: 404,
    body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' },
  })
  expect(await create(source.docs, { parent_kb_id: made.knowledge_base_id })).toMatchObject(linked)
})

test('what an integration made refuses everyone else, at every level', async () => {
  const { source, createAndSync, tree, call, newFolder, addFile, upload } = await startWithDirectory({
    'sub/a.txt': 'a',
  })
  const { knowledge_base_id: root } = await createAndSync(source.docs)
  const sub = (await call('GET', `${KB}?parent_kb_id=${root}`)).body.data.org_knowledge_bases[0]._id
  const [file] = (await call('GET', `${KB}/${sub}/data-sources`)).body.data.data_sources
  const other = await newFolder('Other')
  const own = await addFile(other)
  const file_id = await upload('x')
  for (const folder of [root, sub]) {
    const replies = [
      await call('PATCH', `${KB}/${folder}`, { knowledge_base_name: 'x' }),
      await call('PATCH', `${KB}/${folder}`, { parent_kb_id: other }),
      await call('POST', KB, { knowledge_base_name: 'x', parent_kb_id: folder }),
      await call('PATCH', `${KB}/${other}`, { parent_kb_id: folder }),
      await call('POST', `${KB}/${folder}/data-sources/documents`, { file_id, data_source_title: 'x' }),
      await call('PATCH', `${KB}/${other}/data-sources/${own}`, { knowledge_base_id: folder }),
      await call('DELETE', `${KB}/${folder}/data-sources?data_source_id=${file.id}`),
    ]
    for (const reply of replies) expect(reply).toMatchObject(linked)
  }
  const path = `${KB}/${sub}/data-sources/${file.id}`
  expect(await call('PATCH', path, { data_source_title: 'x' })).toMatchObject(linked)
  expect(await call('PATCH', path, { knowledge_base_id: other })).toMatchObject(linked)
  expect(await call('DELETE', `${KB}/${sub}`)).toMatchObject(linked)
  expect(await tree(root)).toEqual(['sub/', 'sub/a.txt'])
})

test('deleting an integration takes its folder with it, and what is planned ends', async () => {
  const { source, createAndSync, call, services } = await startWithDirectory({ 'sub/a.txt': 'a' })
  const made = await createAndSync(source.docs)
  expect((await call('DELETE', `/integrations/${made.id}`)).body).toEqual({ data: { deleted: true } })
  expect(await call('GET', `/integrations/${made.id}`)).toMatchObject(notFound)
  expect(await call('POST', `/integrations/${made.id}/sync`)).toMatchObject(notFound)
  expect(await call('DELETE', `/integrations/${made.id}`)).toMatchObject(notFound)
  expect((await call('GET', `${KB}/${made.knowledge_base_id}`)).status).toBe(404)
  await expect.poll(() => services.db.selectFrom('data_source').selectAll().execute()).toEqual([])
})

test('an integration whose folder is deleted, or what that lies in, is gone as well', async () => {
  const { source, createAndSync, call, newFolder, services } = await startWithDirectory({ 'sub/a.txt': 'a' })
  const parent = await newFolder('Parent')
  const inner = await createAndSync(source.docs, { parent_kb_id: parent })
  const outer = await createAndSync(source.docs)
  await call('DELETE', `${KB}/${parent}`)
  await call('DELETE', `${KB}/${outer.knowledge_base_id}`)
  for (const { id } of [inner, outer]) expect(await call('GET', `/integrations/${id}`)).toMatchObject(notFound)
  expect((await call('GET', '/integrations')).body.data.integrations).toEqual([])
  await expect.poll(() => services.db.selectFrom('integration').selectAll().execute()).toEqual([])
})

test('a deletion in the middle of a sync leaves nothing behind', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`d${index % 7}/f${index}.txt`, `${index}`]),
  )
  const { source, create, call, services } = await startWithDirectory(many)
  const { id, knowledge_base_id: root } = (await create(source.docs)).body.data
  await expect
    .poll(async () => (await services.db.selectFrom('data_source').selectAll().execute()).length)
    .toBeGreaterThan(20)
  expect((await call('DELETE', `/integrations/${id}`)).status).toBe(200)
  expect((await call('GET', `${KB}/${root}`)).status).toBe(404)
  await expect
    .poll(
      async () => {
        const left = await services.db.selectFrom('data_source').selectAll().execute()
        const folders = await services.db.selectFrom('folder').selectAll().execute()
        const tasks = await tasksOf(services.db)
        return [left.length, folders.length, tasks.length, (await blobKeysOf(services)).length]
      },
      { timeout: 40_000 },
    )
    .toEqual([0, 0, 0, 0])
})

test('a restart in the middle of a sync goes on, with each file once', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`d${index % 5}/f${index}.txt`, `${index}`]),
  )
  const source = await sourceOf(many)
  const settings = { DOCENT_DIRECTORY_ROOTS: source.root, DATA_DIR: await sourceFolder() }
  const first = await startTestApp(settings)
  const { id } = (await directoriesOf(first).create(source.docs)).body.data
  await expect
    .poll(async () => (await first.services.db.selectFrom('data_source').selectAll().execute()).length)
    .toBeGreaterThan(10)
  await first.close()
  const second = await startTestApp(settings)
  const call: Call = (method, path, body) => second.call(method, path, body, { key: first.owner.apiKey })
  await directoriesOf({ ...second, call }).settled(id)
  const titles = await second.services.db.selectFrom('data_source').select('title').execute()
  expect(new Set(titles.map((row) => row.title)).size).toBe(200)
  expect(titles).toHaveLength(200)
})

test('integrations are listed newest first, want the permission, and are of one organization', async () => {
  const { source, createAndSync, call, services, owner } = await startWithDirectory({ 'a.txt': 'a' })
  const one = await createAndSync(source.docs, { knowledge_base_name: 'One' })
  const two = await createAndSync(source.docs, { knowledge_base_name: 'Two' })
  const page = (await call('GET', '/integrations?page_size=1')).body.data
  expect(page).toMatchObject({ integrations: [{ id: two.id }], total: 2, page: 1, page_size: 1, has_more: true })

  const key = await addKey({ services, owner }, { role: 'member' })
  const refused = { status: 403, body: { error_code: 'FORBIDDEN' } }
  expect(await call('POST', '/integrations', {}, { key })).toMatchObject(refused)
  expect(await call('POST', `/integrations/${one.id}/sync`, undefined, { key })).toMatchObject(refused)
  expect(await call('DELETE', `/integrations/${one.id}`, undefined, { key })).toMatchObject(refused)
  expect((await call('GET', `/integrations/${one.id}`, undefined, { key })).status).toBe(200)

  const { apiKey } = await services.access.createOrganization('Other')
  for (const id of [one.id, UNKNOWN_ID, 'x']) {
    expect(await call('GET', `/integrations/${id}`, undefined, { key: apiKey })).toMatchObject(notFound)
    expect(await call('POST', `/integrations/${id}/sync`, undefined, { key: apiKey })).toMatchObject(notFound)
    expect(await call('DELETE', `/integrations/${id}`, undefined, { key: apiKey })).toMatchObject(notFound)
  }
  expect((await call('GET', '/integrations', undefined, { key: apiKey })).body.data.total).toBe(0)
})
