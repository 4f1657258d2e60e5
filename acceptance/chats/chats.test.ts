import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { makeAgent, makeChat, makeKey } from '../support/make.ts'
import { scripted } from '../support/tests.ts'
import { anId, aTime, freshId, malformedIds, unique, uniqueEmail } from '../support/values.ts'

let agent: any
let path: string

beforeAll(async () => {
  agent = await makeAgent()
  path = `/agents/${agent.id}/chats`
})

describe('creating a chat', () => {
  test('answers the fields of the contract under data.chat, without metadata', async () => {
    const fields = { title: 'Help', chat_type: 'interact', metadata: { a: 'b' } }
    const data = dataOf(await api.post(path, fields))
    expect(data).toMatchObject({
      chat: { id: anId, title: 'Help', chat_type: 'interact', agent_id: agent.id, created_at: aTime },
    })
    expect(data.chat).not.toHaveProperty('metadata')
  })

  test('is called New Chat and is standard by default', async () => {
    expect(await makeChat(agent.id)).toMatchObject({ title: 'New Chat', chat_type: 'standard' })
  })

  test('works without a body', async () => {
    expect(dataOf(await api.post(path)).chat.title).toBe('New Chat')
  })

  test.each(['playground', 'configuration', 'interact', 'standard'])('chat_type %s is taken', async (chat_type) => {
    expect((await makeChat(agent.id, { chat_type })).chat_type).toBe(chat_type)
  })

  test('metadata is in every other answer', async () => {
    const { id } = await makeChat(agent.id, { metadata: { ticket: 'T-1' } })
    expect(dataOf(await api.get(`${path}/${id}`)).metadata).toEqual({ ticket: 'T-1' })
  })

  test('50 keys of metadata and a title of 256 characters are taken', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']))
    const { id, title } = await makeChat(agent.id, { metadata, title: 'x'.repeat(256) })
    expect(title).toHaveLength(256)
    expect(dataOf(await api.get(`${path}/${id}`)).metadata).toEqual(metadata)
  })

  test('a member without permissions may', async () => {
    const member = apiOf((await makeKey({ role: 'member' })).key)
    expect((await makeChat(agent.id, {}, member)).id).toEqual(anId)
  })

  test('wrong fields are 400, also in a change', async () => {
    const { id } = await makeChat(agent.id)
    await everyRow(
      [
        ['an unknown chat_type', { chat_type: 'secret' }],
        ['a chat_type in upper case', { chat_type: 'STANDARD' }],
        ['a chat_type with a capital', { chat_type: 'Standard' }],
        ['null as chat_type', { chat_type: null }],
        ['an empty title', { title: '' }],
        ['a blank title', { title: ' \n ' }],
        ['a title of 257 characters', { title: 'x'.repeat(257) }],
        ['a title with a line end', { title: 'a\nb' }],
        ['a title with a zero character', { title: 'a\u0000' }],
        ['a number as title', { title: 1 }],
        ['metadata with a number', { metadata: { a: 1 } }],
        ['metadata with an object', { metadata: { a: {} } }],
        ['metadata with null', { metadata: { a: null } }],
        ['metadata with half a pair', { metadata: { a: '\ud800' } }],
        ['metadata that is empty and a list', { metadata: [] }],
        ['metadata that is a list', { metadata: ['a'] }],
        ['metadata that is a text', { metadata: 'a' }],
        ['51 keys of metadata', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) }],
        ['a list instead of an object', []],
        ['null instead of an object', null],
      ],
      async (_, body) => {
        expectError(await api.post(path, body), 400, 'VALIDATION_ERROR')
        // A change leaves out what cannot be changed.
        if (!('chat_type' in (body ?? {}))) expectError(await api.patch(`${path}/${id}`, body), 400, 'VALIDATION_ERROR')
      },
    )
  })
})

describe('listing the chats of an agent', () => {
  const list = async (id: string, query = '') => dataOf(await api.get(`/agents/${id}/chats${query}`))

  test('answers chats with metadata, newest first, and the paging', async () => {
    const { id } = await makeAgent()
    const first = await makeChat(id, { metadata: { a: 'b' } })
    const second = await makeChat(id)
    expect(await list(id)).toMatchObject({
      chats: [
        { ...second, metadata: {} },
        { ...first, metadata: { a: 'b' } },
      ],
      total: 2,
      page: 1,
      page_size: 50,
      has_more: false,
    })
  })

  test('pages are 1-based', async () => {
    const { id } = await makeAgent()
    for (let i = 0; i < 3; i++) await makeChat(id)
    const [first, second] = [await list(id, '?page_size=2'), await list(id, '?page_size=2&page=2')]
    expect([first.chats.length, first.has_more, second.chats.length, second.has_more]).toEqual([2, true, 1, false])
  })

  test('chat_type filters', async () => {
    const { id } = await makeAgent()
    await makeChat(id)
    const chat = await makeChat(id, { chat_type: 'playground' })
    expect((await list(id, '?chat_type=playground')).chats.map((one: any) => one.id)).toEqual([chat.id])
  })

  test('search finds a part of the title, whatever the case', async () => {
    const { id } = await makeAgent()
    await makeChat(id)
    const chat = await makeChat(id, { title: 'About Herons' })
    expect((await list(id, '?search=HERON')).chats.map((one: any) => one.id)).toEqual([chat.id])
  })

  test('metadata.KEY=VALUE filters', async () => {
    const { id } = await makeAgent()
    const chat = await makeChat(id, { metadata: { ticket: 'T-1', team: 'a' } })
    await makeChat(id, { metadata: { ticket: 'T-2' } })
    await makeChat(id)
    const data = await list(id, '?metadata.ticket=T-1')
    expect([data.total, data.chats.map((one: any) => one.id)]).toEqual([1, [chat.id]])
  })

  scripted('virtual_user_email filters', async () => {
    const { id } = await makeAgent()
    const [theirs] = [await makeChat(id), await makeChat(id)]
    const virtual_user_email = uniqueEmail()
    dataOf(await api.post(`/agents/${id}/chats/${theirs.id}/query`, { query: 'say hi', virtual_user_email }))
    const found = async (email: string) =>
      (await list(id, `?virtual_user_email=${encodeURIComponent(email)}`)).chats.map((one: any) => one.id)
    expect([await found(virtual_user_email.toUpperCase()), await found(uniqueEmail())]).toEqual([[theirs.id], []])
  })

  test('wrong parameters are 400', () =>
    everyRow(
      [
        'page=0',
        'page=-1',
        'page=1.5',
        'page=x',
        'page=',
        'page=1&page=2',
        'page_size=0',
        'page_size=101',
        'chat_type=secret',
        'search=%00',
      ],
      async (query) => expectError(await api.get(`${path}?${query}`), 400, 'VALIDATION_ERROR'),
    ))
})

describe('one chat', () => {
  test('is renamed, and its metadata stays', async () => {
    const { id } = await makeChat(agent.id, { metadata: { a: 'b' } })
    expect(dataOf(await api.patch(`${path}/${id}`, { title: 'New' }))).toMatchObject({
      title: 'New',
      metadata: { a: 'b' },
    })
  })

  test('its metadata is replaced', async () => {
    const { id } = await makeChat(agent.id, { metadata: { a: 'b' } })
    expect(dataOf(await api.patch(`${path}/${id}`, { metadata: { c: 'd' } })).metadata).toEqual({ c: 'd' })
  })

  test('a deleted one is 404 CHAT_NOT_FOUND', async () => {
    const { id } = await makeChat(agent.id)
    expect((await api.delete(`${path}/${id}`)).status).toBe(200)
    expectError(await api.get(`${path}/${id}`), 404, 'CHAT_NOT_FOUND')
  })

  test('of another agent is 404 CHAT_NOT_FOUND', async () => {
    const theirs = (await makeAgent()).id
    const { id } = await makeChat(theirs)
    expectError(await api.get(`${path}/${id}`), 404, 'CHAT_NOT_FOUND')
    expectError(await api.delete(`${path}/${id}`), 404, 'CHAT_NOT_FOUND')
    expectError(await api.post(`${path}/${id}/query`, { query: unique() }), 404, 'CHAT_NOT_FOUND')
    expect((await api.get(`/agents/${theirs}/chats/${id}`)).status).toBe(200)
  })

  const calls = [
    ['get', ''],
    ['patch', ''],
    ['delete', ''],
    ['get', '/messages'],
    ['post', '/query'],
  ] as const
  const odd = ['x'.repeat(2000), '%20', '%00', '..%2f', "'%3b--", freshId().toUpperCase().replace(/^./, 'A')]
  const ids = [['unknown', freshId()], ...malformedIds, ...odd.map((id) => ['odd', id])] as [string, string][]
  test('every endpoint of a chat answers an id that is not there with 404 CHAT_NOT_FOUND', () =>
    everyRow(
      calls.flatMap(([method, rest]) => ids.map(([what, id]) => [method, rest, what, id] as const)),
      async (method, rest, _, id) => {
        const body = { get: undefined, delete: undefined, patch: { title: 'New' }, post: { query: unique() } }[method]
        expectError(await api[method](`${path}/${id}${rest}`, body), 404, 'CHAT_NOT_FOUND')
      },
    ))
})
