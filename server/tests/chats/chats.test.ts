import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const ID = /^[0-9a-f]{24}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const noAgent = { status: 404, body: { error_code: 'AGENT_NOT_FOUND' } }
const noChat = { status: 404, body: { error_code: 'CHAT_NOT_FOUND' } }

test('a chat needs nothing: a request without a body gets the defaults, and no metadata in its answer', async () => {
  const { call, agentId } = await startTestChat()
  for (const fields of [undefined, {}]) {
    const { status, body } = await call('POST', `/agents/${agentId}/chats`, fields)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        chat: {
          id: expect.stringMatching(ID),
          title: 'New Chat',
          chat_type: 'standard',
          agent_id: agentId,
          created_at: expect.stringMatching(TIME),
        },
      },
    })
  }
})

test('a chat keeps its title, type and metadata, which every other answer shows', async () => {
  const { call, succeed, agentId } = await startTestChat()
  const metadata = { ticket: '4711', __proto__x: 'ü', 'a b': '' }
  const fields = { title: '  Spring sale 🌷 ', chat_type: 'interact', metadata, unknown: 1 }
  const { data } = await succeed('POST', `/agents/${agentId}/chats`, fields)
  expect(data.chat).toMatchObject({ title: 'Spring sale 🌷', chat_type: 'interact' })
  expect(data.chat).not.toHaveProperty('metadata')
  const { body } = await call('GET', `/agents/${agentId}/chats/${data.chat.id}`)
  expect(body).toEqual({ data: { ...data.chat, metadata, project_id: null, is_archived: false, is_pinned: false } })
})

test('a chat is renamed, its metadata replaced as a whole, and what is left out stays', async () => {
  const { succeed, call, newChat } = await startTestChat()
  const path = await newChat({ title: 'Old', metadata: { a: '1', b: '2' }, chat_type: 'interact' })
  const before = (await call('GET', path)).body.data
  expect(await succeed('PATCH', path, { title: ' New ' })).toEqual({ data: { ...before, title: 'New' } })
  expect((await succeed('PATCH', path, { metadata: { c: '3' } })).data.metadata).toEqual({ c: '3' })
  await succeed('PATCH', path, {})
  expect((await call('GET', path)).body.data).toEqual({ ...before, title: 'New', metadata: { c: '3' } })
  expect((await succeed('PATCH', path, { metadata: {} })).data.metadata).toEqual({})
})

test('the type and the agent of a chat do not change', async () => {
  const { call, path } = await startTestChat()
  const before = (await call('GET', path)).body
  for (const change of [{ chat_type: 'interact' }, { agent_id: UNKNOWN_ID }, { id: UNKNOWN_ID }])
    expect((await call('PATCH', path, change)).status).toBe(400)
  expect((await call('GET', path)).body).toEqual(before)
})

test('a deleted chat is gone, with its messages', async () => {
  const { call, ask, path, services } = await startTestChat()
  const { body } = await ask('Hi')
  expect(await call('DELETE', path)).toMatchObject({ status: 200, body: { data: { deleted: true } } })
  for (const [method, at, fields] of [
    ['GET', path],
    ['PATCH', path, { title: 'x' }],
    ['DELETE', path],
    ['GET', `${path}/messages`],
    ['GET', `${path}/message/${body.data.message_id}`],
    ['DELETE', `${path}/message/${body.data.message_id}`],
    ['POST', `${path}/query`, { query: 'Hi' }],
  ] as const) {
    expect(await call(method, at, fields)).toMatchObject(noChat)
  }
  expect(await services.db.selectFrom('message').select('id').execute()).toEqual([])
})

test('a chat that another process deleted takes no query, also where it was asked in before', async () => {
  const { ask, services } = await startTestChat({ alone: true })
  await ask('Hi')
  const { db } = services
  const { id, organization_id } = await db
    .selectFrom('chat')
    .select(['id', 'organization_id'])
    .executeTakeFirstOrThrow()
  await db.deleteFrom('message').where('organization_id', '=', organization_id).where('chat_id', '=', id).execute()
  await db.deleteFrom('chat').where('organization_id', '=', organization_id).where('id', '=', id).execute()
  expect(await ask('Hi')).toMatchObject(noChat)
  expect(await db.selectFrom('message').select('id').execute()).toEqual([])
})

test('a chat in which files were sent after its first questions goes on with them', async () => {
  const app = await startTestChat()
  await app.ask('Hi')
  const uploaded_files = [await driveOf(app).upload('The plan is to wait.', 'plan.txt')]
  await app.ask('Read this', { uploaded_files })
  await app.ask('What was in it?')
  expect(JSON.stringify(app.model.requests.at(-1)!.body.messages)).toContain('plan.txt')
})

test('deleting a chat ends what runs and what waits in it', async () => {
  const { call, stream, path, model } = await startTestChat({ script: () => answer('a', { hang: true }) })
  const running = await stream('one')
  await running.until('response')
  const waiting = await stream('two')
  await waiting.next()
  expect((await call('DELETE', path)).status).toBe(200)
  for (const reader of [running, waiting]) {
    expect((await reader.rest()).map(({ type, text }) => [type, text])).toEqual([['error', 'cancelled']])
  }
  await model.requests[0]!.left
  expect(model.requests).toHaveLength(1)
})

test('a chat that is deleted while queries come in answers each of them, with an answer or 404', async () => {
  const { call, newChat } = await startTestChat()
  for (let round = 0; round < 10; round++) {
    const chat = await newChat()
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => call('POST', `${chat}/query`, { query: 'Hi' })),
      call('DELETE', chat),
      ...Array.from({ length: 4 }, () => call('POST', `${chat}/query`, { query: 'Hi' })),
    ])
    for (const reply of replies) {
      // Cancelled, or too late, or in time.
      const told = reply.body.error_code ?? 'ok'
      expect(['ok', 'CHAT_NOT_FOUND', 'AGENT_FAILED'], JSON.stringify(reply.body)).toContain(told)
      if (told === 'AGENT_FAILED') expect(reply.body.message).toBe('cancelled')
    }
  }
})

test('the chats of an agent are listed newest first, in pages', async () => {
  const { succeed, newAgent, newChat } = await startTestChat()
  const agent = await newAgent()
  const titles = ['one', 'two', 'three', 'four', 'five']
  for (const title of titles) await newChat({ title, metadata: { title } }, agent)
  const list = async (query: string) => (await succeed('GET', `/agents/${agent}/chats?${query}`)).data
  const all = await list('')
  expect(all).toMatchObject({ total: 5, page: 1, page_size: 50, has_more: false })
  expect(all.chats.map((chat: any) => chat.title)).toEqual(titles.toReversed())
  expect(all.chats[0]).toEqual({
    is_archived: false,
    is_pinned: false,
    id: expect.stringMatching(ID),
    title: 'five',
    chat_type: 'standard',
    agent_id: agent,
    created_at: expect.stringMatching(TIME),
    metadata: { title: 'five' },
    project_id: null,
    last_message_at: null,
    message_count: 0,
    total_tokens: 0,
    status: 'empty',
    feedback: { up: 0, down: 0 },
    virtual_users: [],
    virtual_user_count: 0,
  })
  const second = await list('page=2&page_size=2')
  expect(second).toMatchObject({ total: 5, page: 2, page_size: 2, has_more: true })
  expect(second.chats.map((chat: any) => chat.title)).toEqual(['three', 'two'])
  expect(await list('page=3&page_size=2')).toMatchObject({ has_more: false, chats: [{ title: 'one' }] })
  expect(await list('page=9')).toMatchObject({ chats: [], total: 5, has_more: false })
})

test('the list is narrowed by type and by a part of the title in any case', async () => {
  const { succeed, newAgent, newChat } = await startTestChat()
  const agent = await newAgent()
  await newChat({ title: 'Spring SALE', chat_type: 'interact' }, agent)
  await newChat({ title: 'sale 50%' }, agent)
  await newChat({ title: 'sale 50 items' }, agent)
  const titles = async (query: Record<string, string>) => {
    const { data } = await succeed('GET', `/agents/${agent}/chats?${new URLSearchParams(query)}`)
    expect(data.total).toBe(data.chats.length)
    return data.chats.map((chat: any) => chat.title)
  }
  expect(await titles({ search: 'Sale' })).toEqual(['sale 50 items', 'sale 50%', 'Spring SALE'])
  expect(await titles({ search: '50%' })).toEqual(['sale 50%'])
  expect(await titles({ chat_type: 'interact' })).toEqual(['Spring SALE'])
  expect(await titles({ chat_type: 'interact', search: '50' })).toEqual([])
})

test('another organization sees nothing of it', async () => {
  const { call, services, path, ask, agentId } = await startTestChat()
  const { body } = await ask('Hi')
  const { apiKey: key } = await services.access.createOrganization('Other')
  const message = `${path}/message/${body.data.message_id}`
  for (const [method, at, fields] of [
    ['GET', `/agents/${agentId}`],
    ['PATCH', `/agents/${agentId}`, { name: 'x' }],
    ['DELETE', `/agents/${agentId}`],
    ['GET', `/agents/${agentId}/chats`],
    ['POST', `/agents/${agentId}/chats`, {}],
    ['GET', path],
    ['PATCH', path, { title: 'x' }],
    ['DELETE', path],
    ['POST', `${path}/query`, { query: 'Hi' }],
    ['GET', `${path}/messages`],
    ['GET', message],
    ['DELETE', message],
  ] as const) {
    expect(await call(method, at, fields, { key })).toMatchObject(noAgent)
  }
  expect((await call('GET', message)).status).toBe(200)
})

test('another workspace that may use the agent has chats of its own with it, and sees nothing of ours', async () => {
  const { call, services, owner, path, ask, agentId } = await startTestChat()
  await call('PATCH', `/agents/${agentId}`, { visibility: 'organization' })
  const { body } = await ask('Hi', { virtual_user_email: 'ada@example.com' })
  const { workspaceId } = await services.access.createWorkspace(owner.organizationId, 'Second')
  const key = await addKey({ services, owner: { ...owner, workspaceId } }, { role: 'owner' })
  const message = `${path}/message/${body.data.message_id}`
  for (const [method, at, fields] of [
    ['GET', path],
    ['PATCH', path, { title: 'x' }],
    ['DELETE', path],
    ['POST', `${path}/query`, { query: 'Hi' }],
    ['POST', `${path}/async_query`, { query: 'Hi', webhook_url: 'https://example.com' }],
    ['GET', `${path}/messages`],
    ['GET', message],
    ['PATCH', message, { is_pinned: true }],
    ['POST', `${message}/feedback`, { rating: 'up' }],
    ['POST', `${message}/cancel`],
    ['GET', `${message}/events`],
    ['DELETE', message],
  ] as const) {
    expect(await call(method, at, fields, { key })).toMatchObject(noChat)
  }
  const all = `/agents/${agentId}/chats`
  expect((await call('GET', all, undefined, { key })).body.data).toMatchObject({ chats: [], total: 0 })
  const own = (await call('POST', all, { title: 'Own' }, { key })).body.data.chat.id
  expect((await call('GET', all, undefined, { key })).body.data).toMatchObject({ chats: [{ id: own }], total: 1 })
  expect((await call('GET', `${all}/${own}`)).status).toBe(404)
  expect((await call('GET', all)).body.data.chats.map(({ id }: any) => id)).toEqual([path.split('/').at(-1)])
  expect((await call('GET', message)).status).toBe(200)
})

test('the chats of a deleted agent are out of reach', async () => {
  const { call, agentId, path } = await startTestChat()
  expect(await call('DELETE', `/agents/${agentId}`)).toMatchObject({ status: 200, body: { data: { deleted: true } } })
  expect(await call('GET', path)).toMatchObject(noAgent)
  expect(await call('POST', `${path}/query`, { query: 'Hi' })).toMatchObject(noAgent)
})
