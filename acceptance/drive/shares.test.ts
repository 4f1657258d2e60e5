import { beforeAll, describe, expect } from 'vitest'
import { api, dataOf, expectError, other } from '../support/api.ts'
import { makeFile, makeFolder, newConversation } from '../support/make.ts'
import { target } from '../support/target.ts'
import { testOfTwo as test } from '../support/tests.ts'
import { aTime, freshId } from '../support/values.ts'
import { until } from '../support/wait.ts'

let owner: any
let reader: any
let top: any
let child: any
let file: any

/** A folder of the other organization, shared with ours. */
beforeAll(async () => {
  if (!target.otherKey) return
  owner = dataOf(await other.get('/me')).organization
  reader = dataOf(await api.get('/me')).organization
  top = await makeFolder({ user_defined_tags: ['t'] }, other)
  child = await makeFolder({ parent_kb_id: top.id }, other)
  file = await makeFile(child.id, { trigger_indexing: true }, 'The spoonbill sweeps the water.', other)
  dataOf(await other.post(`/knowledge-bases/${top.id}/shares`, { organization_id: reader.id }))
})

const sharedWithUs = async () => dataOf(await api.get('/knowledge-bases?scope=shared')).shared_knowledge_bases

describe('sharing a folder', () => {
  test('answers with whom and since when', async () => {
    const { id } = await makeFolder({}, other)
    const share = dataOf(await other.post(`/knowledge-bases/${id}/shares`, { organization_id: reader.id }))
    expect(share).toMatchObject({ organization_id: reader.id, created_at: aTime })
  })

  test('is listed as {shares, total, page, page_size, has_more}', async () => {
    expect(dataOf(await other.get(`/knowledge-bases/${top.id}/shares`))).toMatchObject({
      shares: [{ organization_id: reader.id }],
      total: 1,
      page: 1,
      page_size: 50,
      has_more: false,
    })
  })

  test('with an unknown organization is 404', async () => {
    const reply = await other.post(`/knowledge-bases/${top.id}/shares`, { organization_id: freshId() })
    expect(reply.status).toBe(404)
  })

  test('without an organization is 400', async () => {
    expectError(await other.post(`/knowledge-bases/${top.id}/shares`, {}), 400, 'VALIDATION_ERROR')
  })

  test('of an unknown folder is 404', async () => {
    const reply = await other.post(`/knowledge-bases/${freshId()}/shares`, { organization_id: reader.id })
    expectError(reply, 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })

  test('ends at once', async () => {
    const { id } = await makeFolder({}, other)
    await other.post(`/knowledge-bases/${id}/shares`, { organization_id: reader.id })
    expect((await api.get(`/knowledge-bases/${id}`)).status).toBe(200)
    expect((await other.delete(`/knowledge-bases/${id}/shares/${reader.id}`)).status).toBe(200)
    expectError(await api.get(`/knowledge-bases/${id}`), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
    expect((await other.delete(`/knowledge-bases/${id}/shares/${reader.id}`)).status).toBe(404)
  })
})

describe('a shared folder', () => {
  test('lets its files be located, and their bytes and text be read', async () => {
    const path = `/knowledge-bases/${child.id}/data-sources/${file._id}`
    await until('indexed', async () => dataOf(await api.get(path)).status === 'successful')
    expect(dataOf(await api.get(`/data-sources/${file._id}`))).toMatchObject({ knowledge_base_id: child.id })
    expect((await api.get(`${path}/content`)).text).toBe('The spoonbill sweeps the water.')
    expect(dataOf(await api.get(`${path}/text`)).passages[0].text).toContain('spoonbill')
    expect((await api.get(`/knowledge-bases/${top.id}/actions/download`)).status).toBe(200)
    const ownFolder = await makeFolder({}, other)
    const ownFile = await makeFile(ownFolder.id, {}, 'private', other)
    expectError(await api.get(`/data-sources/${ownFile._id}`), 404, 'DATA_SOURCE_NOT_FOUND')
  })

  test('is in shared_knowledge_bases, in the shape of org_knowledge_bases', async () => {
    const item = (await sharedWithUs()).find(({ _id }: any) => _id === top.id)
    const [own] = dataOf(await other.get('/knowledge-bases')).org_knowledge_bases
    expect(Object.keys(item).sort()).toEqual(Object.keys(own).sort())
    expect(item).toMatchObject({ name: top.name, organization_id: owner.id, user_defined_tags: ['t'] })
  })

  test('is never in org_knowledge_bases', async () => {
    const { org_knowledge_bases } = dataOf(await api.get('/knowledge-bases?scope=all'))
    expect(org_knowledge_bases.map(({ _id }: any) => _id)).not.toContain(top.id)
  })

  test('can be read with all below it', async () => {
    expect((await api.get(`/knowledge-bases/${child.id}`)).status).toBe(200)
    const { data_sources } = dataOf(await api.get(`/knowledge-bases/${top.id}/data-sources?recursive=true`))
    expect(data_sources.map(({ id }: any) => id).sort()).toEqual([child.id, file._id].sort())
  })

  test('can be searched', async () => {
    const found = await until('indexed', async () => {
      const { results } = dataOf(await api.get(`/knowledge-bases/${top.id}/search?query=spoonbill&recursive=true`))
      return results.length > 0 && results
    })
    expect(found[0].data_source_id).toBe(file._id)
  })

  test('can be downloaded from', async () => {
    const path = `/knowledge-bases/${child.id}/data-sources/actions/download?data_source_id=${file._id}`
    expect((await api.get(path)).status).toBe(200)
  })

  test('can be what an agent answers from', async () => {
    const { agent } = await newConversation({ knowledge_base_ids: [top.id] })
    expect(agent.knowledge_base_ids).toEqual([top.id])
  })

  const writes: [string, () => ReturnType<typeof api.get>][] = [
    ['a rename', () => api.patch(`/knowledge-bases/${top.id}`, { knowledge_base_name: 'x' })],
    ['a delete', () => api.delete(`/knowledge-bases/${top.id}`)],
    ['a sub-folder', () => api.post('/knowledge-bases', { knowledge_base_name: 'x', parent_kb_id: top.id })],
    ['a delete of a file', () => api.delete(`/knowledge-bases/${child.id}/data-sources?data_source_id=${file._id}`)],
    [
      'a rename of a file',
      () => api.patch(`/knowledge-bases/${child.id}/data-sources/${file._id}`, { data_source_title: 'x' }),
    ],
    ['a share of the share', () => api.post(`/knowledge-bases/${top.id}/shares`, { organization_id: owner.id })],
    [
      'a new file',
      () =>
        api.post(`/knowledge-bases/${top.id}/data-sources/documents`, { file_id: freshId(), data_source_title: 'x' }),
    ],
    ['indexing', () => api.post(`/knowledge-bases/${child.id}/data-sources/actions/index?data_source_id=${file._id}`)],
  ]
  for (const [what, write] of writes)
    test(`refuses ${what} with 403 FORBIDDEN`, async () => {
      expectError(await write(), 403, 'FORBIDDEN')
    })
})
