import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

/** Three chats: one that went well, one that failed, one that nobody asked anything in. */
async function startThreads() {
  const app = await startTestChat({
    script: ({ body }) => {
      const { content } = body.messages.at(-1)
      if (String(content).includes('fail')) return { status: 400, body: { error: { message: 'no' } } } as never
      return answer('Yes.')
    },
  })
  const agent = await app.newAgent({ name: 'Threads' })
  const good = await app.newChat({ title: 'b good', metadata: { team: 'clay' } }, agent)
  const bad = await app.newChat({ title: 'a bad' }, agent)
  await app.newChat({ title: 'c empty', chat_type: 'interact' }, agent)
  const first = await app.ask('One?', { virtual_user_email: 'Ada@example.com' }, good)
  await app.ask('Two?', { virtual_user_email: 'bob@example.com' }, good)
  await app.ask('Please fail', {}, bad)
  await app.succeed('POST', `${good}/message/${first.body.data.message_id}/feedback`, { rating: 'down' })
  const list = async (query = '', key?: string) =>
    (await app.succeed('GET', `/agents/${agent}/chats?${query}`, undefined, key ? { key } : {})).data
  const titles = async (query: string) => (await list(query)).chats.map((chat: any) => chat.title)
  return { ...app, agent, good, bad, firstId: first.body.data.message_id as string, list, titles }
}

test('a thread tells who asked, how much, what became of it and how it was liked', async () => {
  const { list } = await startThreads()
  const { chats } = await list()
  expect(chats.map(({ title, status, message_count }: any) => [title, status, message_count])).toEqual([
    ['c empty', 'empty', 0],
    ['a bad', 'failed', 1],
    ['b good', 'completed', 2],
  ])
  const [empty, , good] = chats
  expect(empty).toMatchObject({
    last_message_at: null,
    total_tokens: 0,
    feedback: { up: 0, down: 0 },
    virtual_users: [],
  })
  expect(good).toMatchObject({ feedback: { up: 0, down: 1 }, metadata: { team: 'clay' } })
  expect(good.last_message_at).toMatch(/Z$/)
  expect(good.virtual_users.map(({ email }: any) => email).sort()).toEqual(['Ada@example.com', 'bob@example.com'])
})

test('threads are filtered by state, feedback and time, and sorted', async () => {
  const { titles, list } = await startThreads()
  expect(await titles('status=failed')).toEqual(['a bad'])
  expect(await titles('status=in_progress')).toEqual([])
  expect(await titles('feedback=down')).toEqual(['b good'])
  expect(await titles('feedback=up')).toEqual([])
  expect(await titles('sort=title&order=asc')).toEqual(['a bad', 'b good', 'c empty'])
  expect((await titles('sort=last_message_at')).slice(0, 2)).toEqual(['a bad', 'b good'])
  expect((await titles('sort=total_tokens&order=desc'))[0]).toBe('b good')
  expect(await titles('sort=title&order=asc&page_size=1&page=2')).toEqual(['b good'])
  const { chats } = await list()
  expect(await titles(`from=${encodeURIComponent(chats[1].created_at)}`)).toEqual(['c empty', 'a bad'])
  expect(await titles(`to=${encodeURIComponent(chats[1].created_at)}`)).toEqual(['b good'])
  expect(await titles('to=2020-01-01')).toEqual([])
})

test('what makes no sense is refused', async () => {
  const { call, agent } = await startThreads()
  for (const query of ['status=good', 'feedback=5', 'sort=color', 'order=up', 'from=yesterday'])
    expect(await call('GET', `/agents/${agent}/chats?${query}`), query).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR' },
    })
})

test('tokens and messages follow what is deleted and erased', async () => {
  const { list, succeed, call, good, firstId, owner } = await startThreads()
  const thread = async () => (await list('search=good')).chats[0]
  const both = (await thread()).total_tokens
  expect(both).toBeGreaterThan(0)
  await succeed('DELETE', `${good}/message/${firstId}`)
  expect(await thread()).toMatchObject({ message_count: 1, total_tokens: both / 2, feedback: { up: 0, down: 0 } })
  const people = `/workspaces/${owner.workspaceId}/virtual-users`
  const { data } = await succeed('GET', `${people}?email=bob@example.com`)
  await call('POST', `${people}/${data.virtual_users[0].id}/erase`)
  expect(await list('search=good')).toMatchObject({ total: 0 })
})

test('a member sees no e-mail of others', async () => {
  const app = await startThreads()
  const key = await addKey(app, { role: 'member' })
  const { chats } = await app.list('search=good', key)
  expect(chats[0]).toMatchObject({ message_count: 2, virtual_users: [], virtual_user_count: 2 })
})

test('of the many people of a chat ten are listed, and how many they are', async () => {
  const { ask, good, list } = await startThreads()
  for (let n = 0; n < 10; n++) await ask('Me?', { virtual_user_email: `p${n}@example.com` }, good)
  const { chats } = await list('search=good')
  expect([chats[0].virtual_users.length, chats[0].virtual_user_count]).toEqual([10, 12])
})
