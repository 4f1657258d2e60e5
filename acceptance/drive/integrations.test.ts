import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeFolder, upload } from '../support/make.ts'
import { target } from '../support/target.ts'
import { linked as test } from '../support/tests.ts'
import { anId, freshId, malformedIds, unique } from '../support/values.ts'
import { until } from '../support/wait.ts'

let source: string
let made: any
let folderPath: string

const get = async (id: string) => dataOf(await api.get(`/integrations/${id}`))
const titles = async (path = folderPath): Promise<string[]> =>
  dataOf(await api.get(`${path}/data-sources?recursive=true&page_size=100`))
    .data_sources.map((item: any) => item.title ?? item.name)
    .sort()
const inStep = (id: string) =>
  until('in step', async () => {
    const found = await get(id)
    return found.status !== 'syncing' && found
  })
const create = (fields: object = {}) =>
  api.post('/integrations', {
    kind: 'directory',
    knowledge_base_name: unique('linked'),
    config: { path: source },
    ...fields,
  })

beforeAll(async () => {
  if (!target.sourcesRoot) return
  source = await mkdtemp(join(target.sourcesRoot, 'docs-'))
  await mkdir(join(source, 'sub'))
  await writeFile(join(source, 'a.txt'), 'About the avocet.')
  await writeFile(join(source, 'sub', 'b.txt'), 'About the bunting.')
  made = dataOf(await create())
  folderPath = `/knowledge-bases/${made.knowledge_base_id}`
  await inStep(made.id)
})

describe('an integration of the kind directory', () => {
  test('answers {id, kind, knowledge_base_id, status, last_synced_at, error_message, config}', () => {
    expect(made).toMatchObject({
      id: anId,
      kind: 'directory',
      knowledge_base_id: anId,
      status: expect.any(String),
      last_synced_at: null,
      error_message: null,
      config: { path: source },
    })
  })

  test('makes a folder that is linked to it', async () => {
    const { organization } = dataOf(await api.get('/me'))
    const folder = dataOf(await api.get(folderPath))
    expect(folder).toMatchObject({ integration_id: made.id, organization_id: organization.id })
  })

  test('fills it, with sub-folders', async () => {
    const found = await titles()
    expect(found).toHaveLength(3)
    expect(found).toContain('sub')
  })

  test('what it brings has the source_type directory_file', async () => {
    const { data_sources } = dataOf(await api.get(`${folderPath}/data-sources`))
    expect(data_sources.map(({ source_type }: any) => source_type)).toEqual(['directory_file'])
  })

  test('what it brings can be searched', async () => {
    await until('indexed', async () => {
      const { results } = dataOf(await api.get(`${folderPath}/search?query=bunting&recursive=true`))
      return results.length === 1
    })
  })

  test('tells when it was last in step', async () => {
    expect((await get(made.id)).last_synced_at).toEqual(expect.any(String))
  })

  test('sync follows changes and deletions', async () => {
    const own = await mkdtemp(join(target.sourcesRoot!, 'changing-'))
    await writeFile(join(own, 'old.txt'), 'old')
    const { id, knowledge_base_id } = dataOf(await create({ config: { path: own } }))
    await inStep(id)
    await rm(join(own, 'old.txt'))
    await writeFile(join(own, 'new.txt'), 'new')
    expect((await api.post(`/integrations/${id}/sync`)).status).toBe(200)
    await inStep(id)
    expect((await titles(`/knowledge-bases/${knowledge_base_id}`)).join()).toMatch(/^new/)
  })

  test('is listed as {integrations, total, page, page_size, has_more}', async () => {
    const data = dataOf(await api.get('/integrations?page_size=100'))
    expect(data).toMatchObject({ total: expect.any(Number), page: 1, page_size: 100, has_more: expect.any(Boolean) })
    expect(data.integrations.map(({ id }: any) => id)).toContain(made.id)
  })

  test('ends with its folder when it is deleted', async () => {
    const { id, knowledge_base_id } = dataOf(await create())
    expect((await api.delete(`/integrations/${id}`)).status).toBe(200)
    expectError(await api.get(`/integrations/${id}`), 404, 'INTEGRATION_NOT_FOUND')
    expectError(await api.get(`/knowledge-bases/${knowledge_base_id}`), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })

  const configs: [string, object][] = [
    ['an unknown kind', { kind: 'telepathy' }],
    ['no path', { config: {} }],
    ['a path outside of the roots', { config: { path: '/etc' } }],
    ['a path that climbs out', { config: { path: `${target.sourcesRoot}/../..` } }],
    ['a path that is not there', { config: { path: `${target.sourcesRoot}/nowhere` } }],
    ['a number as path', { config: { path: 5 } }],
    ['an empty name', { knowledge_base_name: '' }],
  ]
  for (const [what, fields] of configs)
    test(`with ${what} is 400 VALIDATION_ERROR`, async () => {
      expectError(await create(fields), 400, 'VALIDATION_ERROR')
    })

  test('with a name that is taken is 409', async () => {
    const { name } = await makeFolder()
    expectError(await create({ knowledge_base_name: name }), 409, 'KNOWLEDGE_BASE_NAME_CONFLICT')
  })

  test('with an unknown parent is 404', async () => {
    expectError(await create({ parent_kb_id: freshId() }), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })

  for (const [what, id] of [['unknown', freshId()], ...malformedIds] as [string, string][])
    test(`with an id that is ${what} is 404 INTEGRATION_NOT_FOUND`, async () => {
      expectError(await api.get(`/integrations/${id}`), 404, 'INTEGRATION_NOT_FOUND')
      expectError(await api.delete(`/integrations/${id}`), 404, 'INTEGRATION_NOT_FOUND')
      expectError(await api.post(`/integrations/${id}/sync`), 404, 'INTEGRATION_NOT_FOUND')
    })
})

describe('a folder that is linked', () => {
  test('cannot be renamed: 400 KNOWLEDGE_BASE_LINKED', async () => {
    expectError(await api.patch(folderPath, { knowledge_base_name: unique() }), 400, 'KNOWLEDGE_BASE_LINKED')
  })

  test('cannot get other tags: 400 KNOWLEDGE_BASE_LINKED', async () => {
    expectError(await api.patch(folderPath, { user_defined_tags: ['x'] }), 400, 'KNOWLEDGE_BASE_LINKED')
  })

  test('cannot receive files: 400 KNOWLEDGE_BASE_LINKED', async () => {
    const body = { file_id: await upload(), data_source_title: 'x' }
    expectError(await api.post(`${folderPath}/data-sources/documents`, body), 400, 'KNOWLEDGE_BASE_LINKED')
  })

  test('its sub-folders cannot receive files either', async () => {
    const { data_sources } = dataOf(await api.get(`${folderPath}/data-sources?recursive=true`))
    const { id } = data_sources.find(({ name }: any) => name === 'sub')
    const body = { file_id: await upload(), data_source_title: 'x' }
    expectError(await api.post(`/knowledge-bases/${id}/data-sources/documents`, body), 400, 'KNOWLEDGE_BASE_LINKED')
  })

  test('an unknown file_id comes before that it is linked', async () => {
    const body = { file_id: freshId(), data_source_title: 'x' }
    expectError(await api.post(`${folderPath}/data-sources/documents`, body), 404, 'FILE_NOT_FOUND')
  })
})
