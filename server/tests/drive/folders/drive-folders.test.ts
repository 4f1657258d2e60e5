import { expect, test } from 'vitest'
import { addKey } from '../../support/access/keys.ts'
import { driveOf, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'

async function start() {
  const app = await startTestApp()
  const drive = driveOf(app)
  const names = async (query = '') =>
    (await drive.succeed('GET', `${KB}?${query}`)).data.org_knowledge_bases.map((folder: any) => folder.name)
  const rename = (id: string, name: string) => app.call('PATCH', `${KB}/${id}`, { knowledge_base_name: name })
  const move = (id: string, parentId: string | null) => app.call('PATCH', `${KB}/${id}`, { parent_kb_id: parentId })
  return { ...app, ...drive, names, rename, move }
}

const conflict = { status: 409, body: { error_code: 'KNOWLEDGE_BASE_NAME_CONFLICT' } }
const notFound = { status: 404, body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' } }
const invalid = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }

test('a folder is created at the root', async () => {
  const { call } = await start()
  const { status, body } = await call('POST', KB, {
    knowledge_base_name: ' Contracts ',
    user_defined_tags: ['a', ' b '],
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'success',
    data: {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Contracts',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      parent_kb_id: null,
      is_root: true,
      integration_id: null,
      user_defined_tags: ['a', 'b'],
    },
  })
})

test('a parent that is unknown, malformed, deleted or of another organization is 404', async () => {
  const { call, newFolder, succeed, services } = await start()
  const other = await services.access.createOrganization('Other')
  const foreign = await call('POST', KB, { knowledge_base_name: 'x' }, { key: other.apiKey })
  const deleted = await newFolder('gone')
  await succeed('DELETE', `${KB}/${deleted}`)
  for (const parent_kb_id of [UNKNOWN_ID, 'nonsense', '', deleted, foreign.body.data.id]) {
    expect(await call('POST', KB, { knowledge_base_name: 'a', parent_kb_id })).toMatchObject(notFound)
    expect(await call('GET', `${KB}?parent_kb_id=${parent_kb_id}`)).toMatchObject(notFound)
  }
})

test('a member needs the permission to create a folder, which is asked before the fields', async () => {
  const { call, services, owner } = await start()
  const member = await addKey({ services, owner }, { role: 'member' })
  const trusted = await addKey({ services, owner }, { role: 'member', permissions: ['create_knowledgebase'] })
  const fields = { knowledge_base_name: 'a' }
  const forbidden = { status: 403, body: { error_code: 'FORBIDDEN' } }
  expect(await call('POST', KB, fields, { key: member })).toMatchObject(forbidden)
  expect(await call('POST', KB, {}, { key: member })).toMatchObject(forbidden)
  expect((await call('POST', KB, fields, { key: trusted })).status).toBe(200)
  expect((await call('GET', KB, undefined, { key: member })).body.data.org_knowledge_bases).toHaveLength(1)
  expect(await call('POST', KB, fields, { key: null })).toMatchObject({ status: 401 })
})

test('folders nest 32 levels deep and no deeper', async () => {
  const { call, newFolder, move, names } = await start()
  let parent = await newFolder('1')
  for (let level = 2; level <= 32; level++) parent = await newFolder(String(level), parent)
  const tooDeep = await call('POST', KB, { knowledge_base_name: '33', parent_kb_id: parent })
  expect(tooDeep).toMatchObject(invalid)
  const other = await newFolder('other')
  expect(await move(other, parent)).toMatchObject(invalid)
  expect(await names(`parent_kb_id=${parent}`)).toEqual([])
})

test('a tree is moved only where all of it stays within 32 levels', async () => {
  const { newFolder, move } = await start()
  let deep = await newFolder('1')
  for (let level = 2; level <= 30; level++) deep = await newFolder(String(level), deep)
  const top = await newFolder('top')
  const middle = await newFolder('middle', top)
  expect((await move(top, deep)).status).toBe(200)
  expect((await move(top, null)).status).toBe(200)
  await newFolder('bottom', middle)
  expect(await move(top, deep)).toMatchObject(invalid)
})

test('the list holds one location, sorted by name whatever the case', async () => {
  const { newFolder, succeed, names, owner } = await start()
  const a = await newFolder('beta')
  for (const name of ['Gamma', 'alpha', 'Delta']) await newFolder(name)
  await newFolder('inner', a)
  expect(await names()).toEqual(['alpha', 'beta', 'Delta', 'Gamma'])
  expect(await names(`parent_kb_id=${a}`)).toEqual(['inner'])
  const { data } = await succeed('GET', `${KB}?parent_kb_id=${a}`)
  expect(data.org_knowledge_bases[0]).toEqual({
    _id: expect.any(String),
    name: 'inner',
    organization_id: owner.organizationId,
    parent_kb_id: a,
    is_root: false,
    integration_id: null,
    user_defined_tags: [],
    created_at: expect.any(String),
  })
})

test('the scope fills the keys that were asked for', async () => {
  const { newFolder, succeed, call } = await start()
  await newFolder('a')
  const counts = async (query: string) => {
    const { data } = await succeed('GET', `${KB}?${query}`)
    return [data.org_knowledge_bases.length, data.shared_knowledge_bases.length]
  }
  expect(await counts('')).toEqual([1, 0])
  expect(await counts('scope=org')).toEqual([1, 0])
  expect(await counts('scope=all')).toEqual([1, 0])
  expect(await counts('scope=shared')).toEqual([0, 0])
  expect(await call('GET', `${KB}?scope=ORG`)).toMatchObject(invalid)
})

test('the detail counts what is directly inside, if asked', async () => {
  const { newFolder, addFile, succeed, call } = await start()
  const id = await newFolder('a')
  const child = await newFolder('b', id)
  await newFolder('c', child)
  const gone = await newFolder('d', id)
  await addFile(id)
  await addFile(child)
  await succeed('DELETE', `${KB}/${gone}`)
  const plain = await succeed('GET', `${KB}/${id}`)
  expect(plain.data).toMatchObject({ _id: id, name: 'a', parent_kb_id: null, is_root: true, user_defined_tags: [] })
  expect(plain.data).not.toHaveProperty('files_count')
  for (const yes of ['true', 'TRUE', '1']) {
    const { data } = await succeed('GET', `${KB}/${id}?include_counts=${yes}`)
    expect(data).toMatchObject({ child_folders_count: 1, files_count: 1 })
  }
  for (const no of ['false', 'False', '0']) {
    expect((await succeed('GET', `${KB}/${id}?include_counts=${no}`)).data).not.toHaveProperty('child_folders_count')
  }
  for (const bad of ['yes', '', '2']) {
    expect(await call('GET', `${KB}/${id}?include_counts=${bad}`)).toMatchObject(invalid)
  }
})

test('a list counts the folders in each of its folders, if asked', async () => {
  const { newFolder, succeed } = await start()
  const id = await newFolder('a')
  await newFolder('empty')
  await newFolder('c', await newFolder('b', id))
  const gone = await newFolder('d', id)
  await succeed('DELETE', `${KB}/${gone}`)
  const countsIn = async (query: string) =>
    (await succeed('GET', `${KB}?include_counts=true${query}`)).data.org_knowledge_bases.map(
      (folder: { name: string; child_folders_count: number }) => [folder.name, folder.child_folders_count],
    )
  expect(await countsIn('')).toEqual([
    ['a', 1],
    ['empty', 0],
  ])
  expect(await countsIn(`&parent_kb_id=${id}`)).toEqual([['b', 1]])
  expect((await succeed('GET', KB)).data.org_knowledge_bases[0]).not.toHaveProperty('child_folders_count')
})

test('an update changes what it names', async () => {
  const { call, succeed } = await start()
  const { data } = await succeed('POST', KB, { knowledge_base_name: 'a', user_defined_tags: ['x'] })
  const at = `${KB}/${data.id}`
  const renamed = await call('PATCH', at, { knowledge_base_name: ' B ' })
  expect(renamed.body).toMatchObject({ status: 'success', data: { _id: data.id, name: 'B', user_defined_tags: ['x'] } })
  await succeed('PATCH', at, { user_defined_tags: [] })
  await succeed('PATCH', at, {})
  expect((await succeed('GET', at)).data).toMatchObject({ name: 'B', user_defined_tags: [] })
})

test('a rename to a name of another folder in the location is refused, to another case of its own it is not', async () => {
  const { newFolder, rename, names } = await start()
  const a = await newFolder('a')
  await newFolder('b')
  expect(await rename(a, 'B')).toMatchObject(conflict)
  expect((await rename(a, 'A')).status).toBe(200)
  expect(await names()).toEqual(['A', 'b'])
})

test('a folder moves with all that is below it, and back to the root', async () => {
  const { newFolder, addFile, move, listFiles, names, succeed } = await start()
  const a = await newFolder('a')
  const b = await newFolder('b', a)
  const c = await newFolder('c')
  await addFile(b)
  expect((await move(a, c)).body.data).toMatchObject({ parent_kb_id: c, is_root: false })
  expect(await names()).toEqual(['c'])
  expect((await listFiles(c, 'recursive=true')).data_sources_count.total).toBe(3)
  expect((await move(a, null)).body.data).toMatchObject({ parent_kb_id: null, is_root: true })
  expect(await names()).toEqual(['a', 'c'])
  expect((await succeed('GET', `${KB}/${b}`)).data.parent_kb_id).toBe(a)
})

test('a move to a location with that name, or to none, is refused', async () => {
  const { newFolder, move, call } = await start()
  const a = await newFolder('a')
  const b = await newFolder('b')
  await newFolder('A', b)
  expect(await move(a, b)).toMatchObject(conflict)
  expect(await move(a, UNKNOWN_ID)).toMatchObject(notFound)
  expect(await move(a, 'nonsense')).toMatchObject(notFound)
  const both = await call('PATCH', `${KB}/${a}`, { parent_kb_id: b, knowledge_base_name: 'a2' })
  expect(both.body.data).toMatchObject({ name: 'a2', parent_kb_id: b })
})

test('two folders that are moved into each other at once do not make a circle', async () => {
  const { newFolder, move } = await start()
  for (let round = 0; round < 10; round++) {
    const a = await newFolder(`a${round}`)
    const b = await newFolder(`b${round}`)
    const replies = await Promise.all([move(a, b), move(b, a)])
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400])
  }
})

test('a folder that is linked to an integration cannot be updated', async () => {
  const { newFolder, call, services, move } = await start()
  const id = await newFolder('linked')
  const target = await newFolder('target')
  await services.db.updateTable('folder').set({ integration_id: UNKNOWN_ID }).where('id', '=', id).execute()
  const linked = { status: 400, body: { error_code: 'KNOWLEDGE_BASE_LINKED' } }
  expect(await call('PATCH', `${KB}/${id}`, { knowledge_base_name: 'x' })).toMatchObject(linked)
  expect(await call('PATCH', `${KB}/${id}`, {})).toMatchObject(linked)
  expect(await move(id, target)).toMatchObject(linked)
  expect(await call('PATCH', `${KB}/${id}`, { knowledge_base_name: 5 })).toMatchObject(invalid)
})

test('what is unknown, malformed or of another organization is 404, after the fields were checked', async () => {
  const { call, newFolder, services } = await start()
  const mine = await newFolder('a')
  const other = await services.access.createOrganization('Other')
  for (const [id, key] of [[UNKNOWN_ID], ['nonsense'], [mine.toUpperCase()], ['%00'], [mine, other.apiKey]] as const) {
    const options = key ? { key } : {}
    expect(await call('GET', `${KB}/${id}`, undefined, options)).toMatchObject(notFound)
    expect(await call('PATCH', `${KB}/${id}`, {}, options)).toMatchObject(notFound)
    expect(await call('DELETE', `${KB}/${id}`, undefined, options)).toMatchObject(notFound)
    expect(await call('PATCH', `${KB}/${id}`, { knowledge_base_name: '' }, options)).toMatchObject(invalid)
    expect(await call('GET', `${KB}/${id}?include_counts=x`, undefined, options)).toMatchObject(invalid)
  }
})
