import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { makeAgent, makeFolder, makeKey } from '../support/make.ts'
import { anId, aTime, freshId, malformedIds, unique } from '../support/values.ts'

describe('creating an agent', () => {
  test('answers its fields', async () => {
    const folder = await makeFolder()
    const fields = {
      name: unique(),
      description: 'd',
      instructions: 'i',
      model: 'builtin/extractive',
      knowledge_base_ids: [folder.id],
      tools: ['search_knowledge'],
      visibility: 'organization',
    }
    expect(await makeAgent(fields)).toMatchObject({ id: anId, ...fields, created_at: aTime, updated_at: aTime })
  })

  test('needs a name alone', async () => {
    const { data } = (await api.post('/agents', { name: unique() })).body
    expect(data).toMatchObject({ description: '', instructions: '', knowledge_base_ids: [], visibility: 'private' })
  })

  test('with folders it has the three knowledge tools unless tools says otherwise', async () => {
    const knowledge_base_ids = [(await makeFolder()).id, (await makeFolder()).id]
    const agent = await makeAgent({ knowledge_base_ids: [...knowledge_base_ids, knowledge_base_ids[0]] })
    expect(agent).toMatchObject({ knowledge_base_ids, tools: ['search_knowledge', 'read_file', 'list_files'] })
    const toolsWith = async (tools: string[]) => (await makeAgent({ knowledge_base_ids, tools })).tools
    expect(await toolsWith(['list_files', 'list_files'])).toEqual(['list_files'])
    expect(await toolsWith([])).toEqual([])
  })

  test('wrong fields are 400', () =>
    everyRow(
      [
        ['no name', {}],
        ['an empty name', { name: ' ' }],
        ['a name of 257 characters', { name: 'x'.repeat(257) }],
        ['a model without a provider', { name: 'x', model: 'gpt' }],
        ['an unknown tool', { name: 'x', tools: ['fly'] }],
        ['an unknown visibility', { name: 'x', visibility: 'secret' }],
        ['a folder id that is a number', { name: 'x', knowledge_base_ids: [1] }],
        ['a number as instructions', { name: 'x', instructions: 1 }],
      ],
      async (_, body) => expectError(await api.post('/agents', body), 400, 'VALIDATION_ERROR'),
    ))

  test('an unknown folder is 404', async () => {
    const body = { name: unique(), knowledge_base_ids: [freshId()] }
    expectError(await api.post('/agents', body), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })

  test('a member without manage_agents is 403', async () => {
    const member = apiOf((await makeKey({ role: 'member' })).key)
    expectError(await member.post('/agents', { name: unique() }), 403, 'FORBIDDEN')
  })

  test('a member with manage_agents may', async () => {
    const member = apiOf((await makeKey({ role: 'member', permissions: ['manage_agents'] })).key)
    expect((await makeAgent({}, member)).id).toEqual(anId)
  })
})

describe('listing agents', () => {
  test('answers {agents, total, page, page_size, has_more}', async () => {
    await makeAgent()
    expect(dataOf(await api.get('/agents'))).toMatchObject({
      agents: expect.any(Array),
      total: expect.any(Number),
      page: 1,
      page_size: 50,
      has_more: expect.any(Boolean),
    })
  })

  test('pages are 1-based, and has_more tells of the next', async () => {
    const name = unique('paged')
    await makeAgent({ name: `${name} a` })
    await makeAgent({ name: `${name} b` })
    const page = async (n: number) =>
      dataOf(await api.get(`/agents?search=${encodeURIComponent(name)}&page_size=1&page=${n}`))
    const [first, second] = [await page(1), await page(2)]
    expect([first.has_more, second.has_more, first.total]).toEqual([true, false, 2])
    expect(first.agents[0].id).not.toBe(second.agents[0].id)
  })

  test('wrong parameters are 400', () =>
    everyRow(
      [
        'page=0',
        'page=-1',
        'page=1.5',
        'page=x',
        'page_size=0',
        'page_size=101',
        'search=%00',
        `search=${'x'.repeat(257)}`,
      ],
      async (query) => expectError(await api.get(`/agents?${query}`), 400, 'VALIDATION_ERROR'),
    ))
})

describe('one agent', () => {
  test('is had by its id', async () => {
    const agent = await makeAgent()
    expect(dataOf(await api.get(`/agents/${agent.id}`))).toEqual(agent)
  })

  test('a change leaves what it does not name', async () => {
    const agent = await makeAgent({ instructions: 'i' })
    const changed = dataOf(await api.patch(`/agents/${agent.id}`, { description: 'new' }))
    expect(changed).toMatchObject({ name: agent.name, instructions: 'i', description: 'new' })
  })

  test('a change to an empty name is 400', async () => {
    const agent = await makeAgent()
    expectError(await api.patch(`/agents/${agent.id}`, { name: '' }), 400, 'VALIDATION_ERROR')
  })

  test('a deleted one is 404 AGENT_NOT_FOUND', async () => {
    const agent = await makeAgent()
    expect((await api.delete(`/agents/${agent.id}`)).status).toBe(200)
    expectError(await api.get(`/agents/${agent.id}`), 404, 'AGENT_NOT_FOUND')
  })

  test('changing and deleting want manage_agents', () =>
    everyRow(['patch', 'delete'] as const, async (method) => {
      const agent = await makeAgent({ visibility: 'organization' })
      const member = apiOf((await makeKey({ role: 'member' })).key)
      const reply = await member[method](`/agents/${agent.id}`, method === 'patch' ? { name: 'x' } : undefined)
      expectError(reply, 403, 'FORBIDDEN')
    }))

  const calls = [
    ['get', ''],
    ['patch', ''],
    ['delete', ''],
    ['get', '/jobs'],
    ['get', '/shortcuts'],
    ['get', '/chats'],
    ['get', `/chats/${freshId()}`],
    ['post', '/chats'],
  ] as const
  const odd = ['x'.repeat(2000), '%20', '%00', '..%2f', "'%3b--", freshId().toUpperCase().replace(/^./, 'A')]
  const ids = [['unknown', freshId()], ...malformedIds, ...odd.map((id) => ['odd', id])] as [string, string][]
  test('every endpoint of an agent answers an id that is not there with 404 AGENT_NOT_FOUND', () =>
    everyRow(
      calls.flatMap(([method, path]) => ids.map(([what, id]) => [method, path, what, id] as const)),
      async (method, path, _, id) => {
        const reply = await api[method](
          `/agents/${id}${path}`,
          method === 'patch' || method === 'post' ? {} : undefined,
        )
        expectError(reply, 404, 'AGENT_NOT_FOUND')
      },
    ))
})
