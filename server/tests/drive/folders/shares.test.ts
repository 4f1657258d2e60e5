import { expect, test } from 'vitest'
import { addKey } from '../../support/access/keys.ts'
import { driveOf, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { type Call, shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'
const notFound = { status: 404, body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' } }
const forbidden = { status: 403, body: { error_code: 'FORBIDDEN' } }

/** The owner's tree is top > shared > inner, with files in each and a folder beside. */
async function start(options?: Parameters<typeof startTestApp>[1]) {
  const app = await startTestApp({}, options)
  const drive = driveOf(app)
  const reader = { ...(await app.services.access.createOrganization('Reader')), rightsHolderId: null }
  const asReader: Call = (method, path, body, given) => app.call(method, path, body, { key: reader.apiKey, ...given })
  const theirs = driveOf({ call: asReader })
  const top = await drive.newFolder('Top')
  const shared = await drive.newFolder('Shared', top)
  const inner = await drive.newFolder('Inner', shared)
  const beside = await drive.newFolder('Beside', top)
  const share = (folderId = shared, organizationId = reader.organizationId) =>
    app.call('POST', `${KB}/${folderId}/shares`, { organization_id: organizationId })
  const unshare = (folderId = shared, organizationId = reader.organizationId) =>
    app.call('DELETE', `${KB}/${folderId}/shares/${organizationId}`)
  const sharedNames = async (query = 'scope=shared') =>
    (await theirs.succeed('GET', `${KB}?${query}`)).data.shared_knowledge_bases.map((folder: any) => folder.name)
  return { ...app, ...drive, theirs, reader, asReader, top, shared, inner, beside, share, unshare, sharedNames }
}

async function indexed(drive: Pick<ReturnType<typeof driveOf>, 'listFiles'>, folderId: string) {
  await expect
    .poll(async () => (await drive.listFiles(folderId, 'recursive=true')).data_sources_count.successful)
    .toBeGreaterThan(0)
}

test('a folder is shared, twice without harm, listed, and unshared', async () => {
  const { call, share, unshare, shared, reader } = await start({ work: false })
  const first = await share()
  expect(first).toMatchObject({ status: 200 })
  expect(first.body.data).toEqual({
    organization_id: reader.organizationId,
    organization_name: 'Reader',
    created_at: expect.any(String),
  })
  expect((await share()).body).toEqual(first.body)
  expect((await call('GET', `${KB}/${shared}/shares`)).body.data).toEqual({
    shares: [first.body.data],
    total: 1,
    page: 1,
    page_size: 50,
    has_more: false,
  })
  expect((await unshare()).body).toEqual({ data: { deleted: true } })
  expect(await unshare()).toMatchObject({ status: 404, body: { error_code: 'ORGANIZATION_NOT_FOUND' } })
  expect((await call('GET', `${KB}/${shared}/shares`)).body.data.total).toBe(0)
})

test('a share wants another organization that exists, a folder that exists, and the permission', async () => {
  const { call, share, owner, shared, services, reader } = await start({ work: false })
  expect(await share(shared, UNKNOWN_ID)).toMatchObject({ status: 404, body: { error_code: 'ORGANIZATION_NOT_FOUND' } })
  expect(await share(shared, 'x')).toMatchObject({ status: 404, body: { error_code: 'ORGANIZATION_NOT_FOUND' } })
  expect(await share(shared, owner.organizationId)).toMatchObject({
    status: 400,
    body: { error_code: 'VALIDATION_ERROR', details: [{ path: 'organization_id' }] },
  })
  expect(await share(UNKNOWN_ID)).toMatchObject(notFound)
  expect(await call('POST', `${KB}/${shared}/shares`, {})).toMatchObject({ status: 400 })
  const key = await addKey({ services, owner }, { role: 'member' })
  const wanted = { organization_id: reader.organizationId }
  expect(await call('POST', `${KB}/${shared}/shares`, wanted, { key })).toMatchObject(forbidden)
})

test('a shared folder stands at the root of what the other organization is shared, and only there', async () => {
  const { call, share, asReader, shared, inner, owner } = await start({ work: false })
  await share()
  const { data } = (await asReader('GET', `${KB}?scope=all`)).body
  expect(data.org_knowledge_bases).toEqual([])
  expect(data.shared_knowledge_bases).toEqual([
    {
      _id: shared,
      organization_id: owner.organizationId,
      name: 'Shared',
      parent_kb_id: null,
      is_root: true,
      integration_id: null,
      user_defined_tags: [],
      created_at: expect.any(String),
    },
  ])
  expect((await asReader('GET', KB)).body.data).toEqual({ org_knowledge_bases: [], shared_knowledge_bases: [] })
  const below = (await asReader('GET', `${KB}?scope=shared&parent_kb_id=${shared}`)).body.data
  expect(below).toMatchObject({ org_knowledge_bases: [], shared_knowledge_bases: [{ _id: inner, is_root: false }] })
  const own = (await call('GET', `${KB}?scope=all`)).body.data
  expect(own).toMatchObject({ org_knowledge_bases: [{ name: 'Top' }], shared_knowledge_bases: [] })
})

test('a folder that is shared within a shared one is listed inside of it', async () => {
  const { share, unshare, inner, sharedNames } = await start({ work: false })
  await share(inner)
  expect(await sharedNames()).toEqual(['Inner'])
  await share()
  expect(await sharedNames()).toEqual(['Shared'])
  await unshare()
  expect(await sharedNames()).toEqual(['Inner'])
})

test('what is shared can be read: details, listings, files, archives', async () => {
  const { share, addFile, asReader, theirs, shared, inner } = await start({ work: false })
  const id = await addFile(inner, { title: 'plan.txt', content: 'the plan' })
  await share()
  expect((await asReader('GET', `${KB}/${shared}?include_counts=true`)).body.data).toMatchObject({
    _id: shared,
    parent_kb_id: null,
    child_folders_count: 1,
    files_count: 0,
  })
  expect((await asReader('GET', `${KB}/${inner}`)).body.data).toMatchObject({ parent_kb_id: shared, is_root: false })
  const all = await theirs.listFiles(shared, 'recursive=true')
  expect(all.data_sources.map((item: any) => item.title ?? item.name).sort()).toEqual(['Inner', 'plan.txt'])
  expect(all.query_info.folders_queried).toBe(2)
  expect((await asReader('GET', `${KB}/${inner}/data-sources/${id}`)).body.data.title).toBe('plan.txt')
  const archive = await asReader('GET', `${KB}/${inner}/data-sources/actions/download?data_source_id=${id}`)
  expect(archive.status).toBe(200)
  expect(archive.headers.get('content-type')).toBe('application/zip')
})

test('who of its people brought a file is not shown to the other organization', async () => {
  const { share, upload, call, succeed, asReader, shared } = await start({ work: false })
  const form = new FormData()
  form.append('file', new Blob(['text']), 'a.txt')
  form.append('virtual_user_email', 'person@example.com')
  const file_id = (await succeed('POST', '/uploaded-files', form)).data
  expect(await upload('x')).not.toBe(file_id)
  const path = `${KB}/${shared}/data-sources`
  const fields = { file_id, data_source_title: 'a', trigger_indexing: false }
  const { _id, virtual_user_id } = (await succeed('POST', `${path}/documents`, fields)).data
  expect(virtual_user_id).toEqual(expect.any(String))
  await share()
  expect((await asReader('GET', path)).body.data.data_sources[0].virtual_user_id).toBeNull()
  expect((await asReader('GET', `${path}/${_id}`)).body.data.virtual_user_id).toBeNull()
  expect((await call('GET', `${path}/${_id}`)).body.data.virtual_user_id).toBe(virtual_user_id)
})

test('no write gets into what is only shared: 403 there, 404 where nothing is shared', async () => {
  const { share, addFile, asReader, theirs, shared, inner, top, beside, reader } = await start({ work: false })
  const id = await addFile(inner)
  const file_id = await theirs.upload('mine')
  const mine = await theirs.newFolder('Mine')
  const ownFile = await theirs.addFile(mine)
  await share()
  const writes: [string, (folder: string) => string, ((folder: string) => unknown)?][] = [
    ['POST', () => KB, (parent_kb_id) => ({ knowledge_base_name: 'New', parent_kb_id })],
    ['PATCH', (folder) => `${KB}/${folder}`, () => ({ knowledge_base_name: 'Renamed' })],
    ['PATCH', () => `${KB}/${mine}`, (parent_kb_id) => ({ parent_kb_id })],
    ['DELETE', (folder) => `${KB}/${folder}`],
    ['POST', (folder) => `${KB}/${folder}/data-sources/documents`, () => ({ file_id, data_source_title: 'x' })],
    ['PATCH', (folder) => `${KB}/${folder}/data-sources/${id}`, () => ({ data_source_title: 'x' })],
    ['PATCH', () => `${KB}/${mine}/data-sources/${ownFile}`, (knowledge_base_id) => ({ knowledge_base_id })],
    ['DELETE', (folder) => `${KB}/${folder}/data-sources?data_source_id=${id}`],
    ['POST', (folder) => `${KB}/${folder}/data-sources/actions/index?data_source_id=${id}`],
    ['POST', (folder) => `${KB}/${folder}/shares`, () => ({ organization_id: reader.organizationId })],
    ['GET', (folder) => `${KB}/${folder}/shares`],
    ['DELETE', (folder) => `${KB}/${folder}/shares/${reader.organizationId}`],
  ]
  for (const [method, path, body] of writes) {
    for (const folder of [shared, inner]) {
      const reply = await asReader(method, path(folder), body?.(folder))
      expect(reply, `${method} ${path(folder)}`).toMatchObject(forbidden)
    }
    for (const folder of [top, beside, UNKNOWN_ID, 'x']) {
      const reply = await asReader(method, path(folder), body?.(folder))
      expect(reply, `${method} ${path(folder)}`).toMatchObject(notFound)
    }
  }
  const kept = (await asReader('GET', `${KB}/${inner}/data-sources`)).body.data
  expect(kept.data_sources).toMatchObject([{ id, title: 'file.txt' }])
})

test('what is not shared stays unknown, to this organization and to a third', async () => {
  const { share, call, asReader, top, beside, shared, services } = await start({ work: false })
  await share()
  const third = await services.access.createOrganization('Third')
  for (const path of [top, beside].map((id) => `${KB}/${id}`))
    expect(await asReader('GET', path)).toMatchObject(notFound)
  expect(await asReader('GET', `${KB}?parent_kb_id=${top}&scope=all`)).toMatchObject(notFound)
  expect(await asReader('GET', `${KB}/${beside}/data-sources`)).toMatchObject(notFound)
  expect(await asReader('GET', `${KB}/${beside}/search?query=x`)).toMatchObject(notFound)
  expect(await call('GET', `${KB}/${shared}`, undefined, { key: third.apiKey })).toMatchObject(notFound)
})

test('the end of a share counts at once, and so does a move out of it', async () => {
  const { call, share, unshare, asReader, shared, inner, beside, sharedNames } = await start({ work: false })
  await share()
  expect((await asReader('GET', `${KB}/${inner}`)).status).toBe(200)
  await call('PATCH', `${KB}/${inner}`, { parent_kb_id: beside })
  expect(await asReader('GET', `${KB}/${inner}`)).toMatchObject(notFound)
  await unshare()
  expect(await asReader('GET', `${KB}/${shared}`)).toMatchObject(notFound)
  expect(await asReader('PATCH', `${KB}/${shared}`, {})).toMatchObject(notFound)
  expect(await sharedNames()).toEqual([])
})

test('a deleted folder is shared no more, and its rows can be removed', async () => {
  const { call, share, asReader, shared, inner, sharedNames, services } = await start()
  await share()
  await share(inner)
  await call('DELETE', `${KB}/${shared}`)
  expect(await sharedNames()).toEqual([])
  expect(await asReader('GET', `${KB}/${inner}`)).toMatchObject(notFound)
  await expect.poll(() => services.db.selectFrom('folder_share').selectAll().execute()).toEqual([])
})

test('searches find shared passages where they are indexed, until the share ends', async () => {
  const { share, unshare, addFile, asReader, theirs, inner, shared, beside, listFiles } = await start()
  const id = await addFile(inner, { title: 'tide.txt', content: 'The lighthouse opens at nine.', index: true })
  await addFile(beside, { title: 'other.txt', content: 'The lighthouse closes at five.', index: true })
  await indexed({ listFiles }, inner)
  await indexed({ listFiles }, beside)
  await share()
  const search = async () => (await asReader('GET', `${KB}/${shared}/search?query=lighthouse`)).body.data?.results
  expect(await search()).toMatchObject([{ data_source_id: id, title: 'tide.txt' }])
  const flat = await asReader('GET', `${KB}/${shared}/search?query=lighthouse&recursive=false`)
  expect(flat.body.data.results).toEqual([])
  await unshare()
  expect(await search()).toBeUndefined()
  expect(await theirs.newFolder('Still works')).toEqual(expect.any(String))
})

test('an agent answers from its own folders and from shared ones, and not from what is shared no more', async () => {
  const { call, share, unshare, addFile, asReader, theirs, inner, shared, beside, listFiles, services, reader } =
    await start()
  const mine = await theirs.newFolder('Mine')
  const ownFile = await theirs.addFile(mine, { title: 'own.txt', content: 'The harbour opens at eight.', index: true })
  const id = await addFile(inner, { title: 'tide.txt', content: 'The harbour lighthouse opens at nine.', index: true })
  await addFile(beside, { title: 'secret.txt', content: 'The harbour lighthouse is for sale.', index: true })
  for (const [drive, folder] of [
    [theirs, mine],
    [{ listFiles }, inner],
    [{ listFiles }, beside],
  ] as const)
    await indexed(drive, folder)
  const agent = { name: 'Guide', knowledge_base_ids: [mine, shared] }
  expect(await asReader('POST', '/agents', agent)).toMatchObject(notFound)
  await share()
  const { id: agentId } = (await theirs.succeed('POST', '/agents', agent)).data
  expect(agentId).toEqual(expect.any(String))
  expect(await asReader('POST', '/agents', { name: 'x', knowledge_base_ids: [beside] })).toMatchObject(notFound)

  const of = { folderIds: [mine, shared], limit: 10 }
  const signal = AbortSignal.timeout(20_000)
  const find = async () => {
    const query = { ...of, query: 'When does the harbour lighthouse open?' }
    const found = await services.retrieval.searchAround(reader, query, signal)
    expect(new Set(found.terms.map(({ term }) => term)).size).toBe(found.terms.length)
    return found.passages.map((passage) => [passage.dataSourceId, passage.text])
  }
  const list = async () => {
    const { files, total } = await services.retrieval.listFiles(reader, of)
    expect(total).toBe(files.length)
    return files.map((file) => file.id)
  }
  const read = async () => {
    const at = { dataSourceId: id, folderIds: of.folderIds, start: 0, maxWords: 100 }
    return (await services.retrieval.readFile(reader, at, signal))?.passages[0]?.text
  }
  expect((await find()).sort()).toEqual(
    [
      [id, 'The harbour lighthouse opens at nine.'],
      [ownFile, 'The harbour opens at eight.'],
    ].sort(),
  )
  expect(await list()).toEqual([id, ownFile].sort().reverse())
  expect(await read()).toContain('opens at nine')

  const { chat } = (await theirs.succeed('POST', `/agents/${agentId}/chats`, {})).data
  const reply = await asReader('POST', `/agents/${agentId}/chats/${chat.id}/query`, {
    query: 'When does the harbour lighthouse open?',
  })
  expect(JSON.stringify(reply.body)).toContain('opens at nine')
  expect(JSON.stringify(reply.body)).not.toContain('for sale')

  await unshare()
  expect((await find()).map(([file]) => file)).toEqual([ownFile])
  expect(await list()).toEqual([ownFile])
  expect(await read()).toBeUndefined()
  expect((await call('GET', `${KB}/${inner}`)).status).toBe(200)
})
