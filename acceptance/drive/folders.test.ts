import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { makeFile, makeFolder, makeKey, whoAmI } from '../support/make.ts'
import { anId, aTime, freshId, malformedIds, unique } from '../support/values.ts'

describe('creating a folder', () => {
  test('answers {status, data} with every field of the contract', async () => {
    const name = unique()
    const reply = await api.post('/knowledge-bases', { knowledge_base_name: name, user_defined_tags: ['a', 'b'] })
    expect(reply.status).toBe(200)
    expect(reply.body.status).toBe('success')
    expect(reply.body.data).toMatchObject({
      id: anId,
      name,
      created_at: aTime,
      parent_kb_id: null,
      is_root: true,
      integration_id: null,
      user_defined_tags: ['a', 'b'],
    })
  })

  test('without tags has an empty list of them', async () => {
    expect((await makeFolder()).user_defined_tags).toEqual([])
  })

  test('parent_kb_id null means the root', async () => {
    expect(await makeFolder({ parent_kb_id: null })).toMatchObject({ is_root: true, parent_kb_id: null })
  })

  test('inside a parent it is no root folder', async () => {
    const parent = await makeFolder()
    expect(await makeFolder({ parent_kb_id: parent.id })).toMatchObject({ is_root: false, parent_kb_id: parent.id })
  })

  test('the name is trimmed', async () => {
    const name = unique()
    expect((await makeFolder({ knowledge_base_name: `  ${name}\n` })).name).toBe(name)
  })

  test('the name keeps its spelling', async () => {
    const name = `ÄrGer ${unique()}`
    expect((await makeFolder({ knowledge_base_name: name })).name).toBe(name)
  })

  test('a name of 256 characters is taken', async () => {
    const name = unique().padEnd(256, 'x')
    expect((await makeFolder({ knowledge_base_name: name })).name).toBe(name)
  })

  test('an unknown field is ignored', async () => {
    await makeFolder({ colour: 'blue' })
  })

  test('50 tags of 64 characters are taken', async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(64, 't'))
    expect((await makeFolder({ user_defined_tags: tags })).user_defined_tags).toEqual(tags)
  })

  test('wrong fields are 400 VALIDATION_ERROR, and make nothing', async () => {
    const parent_kb_id = (await makeFolder()).id
    await everyRow(
      [
        ['no name', {}],
        ['an empty name', { knowledge_base_name: '' }],
        ['a blank name', { knowledge_base_name: ' \t ' }],
        ['a name of 257 characters', { knowledge_base_name: 'x'.repeat(257) }],
        ['a name with a line break inside', { knowledge_base_name: 'a\nb' }],
        ['a name with a control character', { knowledge_base_name: 'a\u0007b' }],
        ['a name with a zero character', { knowledge_base_name: 'a\u0000b' }],
        ['a name with half a surrogate pair', { knowledge_base_name: 'a\ud800b' }],
        ['a number as name', { knowledge_base_name: 123 }],
        ['tags that are null', { knowledge_base_name: 'x', user_defined_tags: null }],
        ['an empty tag', { knowledge_base_name: 'x', user_defined_tags: [''] }],
        ['a list instead of an object', []],
        ['no body', undefined],
        ['null as name', { knowledge_base_name: null }],
        ['tags that are no list', { knowledge_base_name: 'x', user_defined_tags: 'a' }],
        ['a tag that is a number', { knowledge_base_name: 'x', user_defined_tags: [1] }],
        ['a tag of 65 characters', { knowledge_base_name: 'x', user_defined_tags: ['t'.repeat(65)] }],
        ['51 tags', { knowledge_base_name: 'x', user_defined_tags: Array.from({ length: 51 }, (_, i) => `${i}`) }],
        ['a number as parent', { knowledge_base_name: 'x', parent_kb_id: 5 }],
      ],
      async (_, body) => {
        const inside = body && !Array.isArray(body) ? { parent_kb_id, ...body } : body
        expectError(await api.post('/knowledge-bases', inside), 400, 'VALIDATION_ERROR')
      },
    )
    const { org_knowledge_bases } = dataOf(await api.get(`/knowledge-bases?parent_kb_id=${parent_kb_id}`))
    expect(org_knowledge_bases).toEqual([])
  })

  test('a parent that is not there is 404 KNOWLEDGE_BASE_NOT_FOUND', () =>
    everyRow(
      [['an unknown parent', freshId()], ...malformedIds.map(([what, id]) => [`a parent id that is ${what}`, id])],
      async (_, parent_kb_id) => {
        const body = { knowledge_base_name: unique(), parent_kb_id }
        expectError(await api.post('/knowledge-bases', body), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
      },
    ))

  test('a member without create_knowledgebase gets 403 FORBIDDEN', async () => {
    const { key } = await makeKey({ role: 'member' })
    expectError(await apiOf(key).post('/knowledge-bases', { knowledge_base_name: unique() }), 403, 'FORBIDDEN')
  })

  test('a member with create_knowledgebase may', async () => {
    const { key } = await makeKey({ role: 'member', permissions: ['create_knowledgebase'] })
    await makeFolder({}, apiOf(key))
  })

  test('nesting is at most 32 deep: one more is 400', async () => {
    let parent = await makeFolder()
    for (let depth = 2; depth <= 32; depth++) parent = await makeFolder({ parent_kb_id: parent.id })
    const body = { knowledge_base_name: unique(), parent_kb_id: parent.id }
    expectError(await api.post('/knowledge-bases', body), 400, 'VALIDATION_ERROR')
  })
})

describe('listing folders', () => {
  const listed = async (query: string) => dataOf(await api.get(`/knowledge-bases${query}`))

  test('an item has every field of the contract', async () => {
    const parent = await makeFolder()
    const child = await makeFolder({ parent_kb_id: parent.id, user_defined_tags: ['x'] })
    const { organization } = await whoAmI()
    const { org_knowledge_bases } = await listed(`?parent_kb_id=${parent.id}`)
    expect(org_knowledge_bases).toEqual([
      expect.objectContaining({
        _id: child.id,
        name: child.name,
        organization_id: organization.id,
        parent_kb_id: parent.id,
        is_root: false,
        user_defined_tags: ['x'],
        created_at: child.created_at,
      }),
    ])
  })

  test('without a parent it gives the root folders and nothing below', async () => {
    const parent = await makeFolder()
    const child = await makeFolder({ parent_kb_id: parent.id })
    const ids = (await listed('')).org_knowledge_bases.map((folder: any) => folder._id)
    expect(ids).toContain(parent.id)
    expect(ids).not.toContain(child.id)
  })

  test('it sorts by name', async () => {
    const parent = await makeFolder()
    for (const knowledge_base_name of ['pear', 'Apple', 'fig'])
      await makeFolder({ knowledge_base_name, parent_kb_id: parent.id })
    const { org_knowledge_bases } = await listed(`?parent_kb_id=${parent.id}`)
    expect(org_knowledge_bases.map((folder: any) => folder.name)).toEqual(['Apple', 'fig', 'pear'])
  })

  test('the status is success', async () => {
    expect((await api.get('/knowledge-bases')).body.status).toBe('success')
  })

  test('scope org is the default and leaves shared_knowledge_bases empty', async () => {
    await makeFolder()
    const data = await listed('?scope=org')
    expect(data.shared_knowledge_bases).toEqual([])
    expect(data.org_knowledge_bases.length).toBeGreaterThan(0)
    expect((await listed('')).shared_knowledge_bases).toEqual([])
  })

  test('scope shared leaves org_knowledge_bases empty', async () => {
    await makeFolder()
    expect((await listed('?scope=shared')).org_knowledge_bases).toEqual([])
  })

  test('scope all fills both', async () => {
    const { id } = await makeFolder()
    const data = await listed('?scope=all')
    expect(data.org_knowledge_bases.map((folder: any) => folder._id)).toContain(id)
    expect(data.shared_knowledge_bases).toEqual(expect.any(Array))
  })

  test('an unknown scope is 400', () =>
    everyRow(['mine', 'ORG', ''], async (scope) =>
      expectError(await api.get(`/knowledge-bases?scope=${scope}`), 400, 'VALIDATION_ERROR'),
    ))

  test('a parent that is not there is 404', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await api.get(`/knowledge-bases?parent_kb_id=${id}`), 404, 'KNOWLEDGE_BASE_NOT_FOUND'),
    ))
})

describe('getting a folder', () => {
  test('has the fields of the contract, and no counts unasked', async () => {
    const folder = await makeFolder({ user_defined_tags: ['t'] })
    const reply = await api.get(`/knowledge-bases/${folder.id}`)
    expect(reply.body.status).toBe('success')
    expect(dataOf(reply)).toMatchObject({
      _id: folder.id,
      name: folder.name,
      parent_kb_id: null,
      is_root: true,
      user_defined_tags: ['t'],
    })
    expect(reply.body.data).not.toHaveProperty('files_count')
    expect(reply.body.data).not.toHaveProperty('child_folders_count')
  })

  test('include_counts counts direct children alone', async () => {
    const folder = await makeFolder()
    const child = await makeFolder({ parent_kb_id: folder.id })
    await makeFolder({ parent_kb_id: child.id })
    await makeFile(folder.id)
    await makeFile(child.id)
    await makeFile(child.id)
    expect(dataOf(await api.get(`/knowledge-bases/${folder.id}?include_counts=true`))).toMatchObject({
      child_folders_count: 1,
      files_count: 1,
    })
  })

  test('include_counts is read as true or false', async () => {
    const { id } = await makeFolder()
    await everyRow(
      [
        ['true', true],
        ['TRUE', true],
        ['True', true],
        ['1', true],
        ['false', false],
        ['FALSE', false],
        ['0', false],
      ],
      async (value, isCounted) => {
        const data = dataOf(await api.get(`/knowledge-bases/${id}?include_counts=${value}`))
        expect('files_count' in data && 'child_folders_count' in data).toBe(isCounted)
      },
    )
  })

  test('include_counts that is neither is 400', async () => {
    const { id } = await makeFolder()
    await everyRow(['yes', 'on', '2', '', 'null'], async (value) =>
      expectError(await api.get(`/knowledge-bases/${id}?include_counts=${value}`), 400, 'VALIDATION_ERROR'),
    )
  })
})

describe('changing a folder', () => {
  test('answers with the new name', async () => {
    const { id } = await makeFolder()
    const name = unique()
    expect(dataOf(await api.patch(`/knowledge-bases/${id}`, { knowledge_base_name: name })).name).toBe(name)
    expect(dataOf(await api.get(`/knowledge-bases/${id}`)).name).toBe(name)
  })

  test('the tags are replaced and the name stays', async () => {
    const { id, name } = await makeFolder({ user_defined_tags: ['old'] })
    await api.patch(`/knowledge-bases/${id}`, { user_defined_tags: ['new'] })
    expect(dataOf(await api.get(`/knowledge-bases/${id}`))).toMatchObject({ name, user_defined_tags: ['new'] })
  })

  test('an empty change changes nothing', async () => {
    const { id, name } = await makeFolder({ user_defined_tags: ['t'] })
    expect(dataOf(await api.patch(`/knowledge-bases/${id}`, {}))).toMatchObject({ name, user_defined_tags: ['t'] })
  })

  test('wrong changes are 400', async () => {
    const { id } = await makeFolder()
    await everyRow(
      [
        ['an empty name', { knowledge_base_name: '' }],
        ['null as name', { knowledge_base_name: null }],
        ['null as tags', { user_defined_tags: null }],
        ['a number as parent', { parent_kb_id: 1 }],
        ['a name of 257 characters', { knowledge_base_name: 'x'.repeat(257) }],
        ['a tag of 65 characters', { user_defined_tags: ['t'.repeat(65)] }],
      ],
      async (_, body) => expectError(await api.patch(`/knowledge-bases/${id}`, body), 400, 'VALIDATION_ERROR'),
    )
  })

  test('parent_kb_id moves it with all below', async () => {
    const [from, to] = [await makeFolder(), await makeFolder()]
    const moved = await makeFolder({ parent_kb_id: from.id })
    const below = await makeFolder({ parent_kb_id: moved.id })
    const reply = dataOf(await api.patch(`/knowledge-bases/${moved.id}`, { parent_kb_id: to.id }))
    expect(reply).toMatchObject({ parent_kb_id: to.id, is_root: false })
    expect(dataOf(await api.get(`/knowledge-bases/${below.id}`)).parent_kb_id).toBe(moved.id)
    expect(dataOf(await api.get(`/knowledge-bases?parent_kb_id=${from.id}`)).org_knowledge_bases).toEqual([])
  })

  test('parent_kb_id null moves it to the root', async () => {
    const parent = await makeFolder()
    const { id } = await makeFolder({ parent_kb_id: parent.id })
    expect(dataOf(await api.patch(`/knowledge-bases/${id}`, { parent_kb_id: null }))).toMatchObject({ is_root: true })
  })

  test('a move into itself, or below itself, is 400', async () => {
    const { id } = await makeFolder()
    const child = await makeFolder({ parent_kb_id: id })
    const grandchild = await makeFolder({ parent_kb_id: child.id })
    for (const parent_kb_id of [id, child.id, grandchild.id])
      expectError(await api.patch(`/knowledge-bases/${id}`, { parent_kb_id }), 400, 'VALIDATION_ERROR')
  })

  test('a move into its own sub-tree is 400', async () => {
    const top = await makeFolder()
    const child = await makeFolder({ parent_kb_id: top.id })
    const deep = await makeFolder({ parent_kb_id: child.id })
    expectError(await api.patch(`/knowledge-bases/${top.id}`, { parent_kb_id: deep.id }), 400, 'VALIDATION_ERROR')
  })

  test('a move to where the name is taken is 409', async () => {
    const to = await makeFolder()
    const there = await makeFolder({ parent_kb_id: to.id })
    const here = await makeFolder({ knowledge_base_name: there.name })
    const reply = await api.patch(`/knowledge-bases/${here.id}`, { parent_kb_id: to.id })
    expectError(reply, 409, 'KNOWLEDGE_BASE_NAME_CONFLICT')
  })

  test('a move to an unknown parent is 404', async () => {
    const { id } = await makeFolder()
    const reply = await api.patch(`/knowledge-bases/${id}`, { parent_kb_id: freshId() })
    expectError(reply, 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })
})

describe('deleting a folder', () => {
  test('carries a message', async () => {
    const { id } = await makeFolder()
    const reply = await api.delete(`/knowledge-bases/${id}`)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ status: 'success', message: expect.stringMatching(/deleted/i) })
  })

  test('takes all sub-folders and files along', async () => {
    const top = await makeFolder()
    const child = await makeFolder({ parent_kb_id: top.id })
    const file = await makeFile(child.id)
    await api.delete(`/knowledge-bases/${top.id}`)
    for (const { id } of [top, child]) {
      expectError(await api.get(`/knowledge-bases/${id}`), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
    }
    const gone = await api.get(`/knowledge-bases/${child.id}/data-sources/${file._id}`)
    expectError(gone, 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })

  test('twice is 404 the second time', async () => {
    const { id } = await makeFolder()
    await api.delete(`/knowledge-bases/${id}`)
    expectError(await api.delete(`/knowledge-bases/${id}`), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })
})

describe('a folder that does not exist is 404 KNOWLEDGE_BASE_NOT_FOUND', () => {
  const calls = [
    ['get', ''],
    ['patch', ''],
    ['delete', ''],
    ['get', '/data-sources'],
    ['get', '/search?query=x'],
    ['get', `/data-sources/actions/download?data_source_id=${freshId()}`],
    ['post', `/data-sources/actions/index?data_source_id=${freshId()}`],
    ['delete', `/data-sources?data_source_id=${freshId()}`],
  ] as const
  const ids = [['unknown', freshId()], ...malformedIds] as const
  test('every endpoint of a folder answers an id that is not there with 404', () =>
    everyRow(
      calls.flatMap(([method, path]) => ids.map(([what, id]) => [method, path, what, id] as const)),
      async (method, path, _, id) => {
        const reply = await api[method](`/knowledge-bases/${id}${path}`, method === 'patch' ? {} : undefined)
        expectError(reply, 404, 'KNOWLEDGE_BASE_NOT_FOUND')
      },
    ))
})
