import { describe, expect, test } from 'vitest'
import { grantAgent } from '../support/access/grants.ts'
import { join } from '../support/access/people.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

/** An agent of Ada's, who is a plain member, with Bob beside her and Cleo as an admin. */
async function start() {
  const app = await startTestApp()
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const cleo = await join(app, { email: 'cleo@example.com', role: 'admin' })
  const made = await ada.call('POST', '/agents', { name: 'Clerk', model: 'builtin/extractive' })
  const agents = `/agents/${made.body.data.id}`
  const begin = async (as: typeof ada, title: string): Promise<string> => {
    const chat = (await as.call('POST', `${agents}/chats`, { title })).body.data.chat.id
    expect((await as.call('POST', `${agents}/chats/${chat}/query`, { query: `${title}?` })).status).toBe(200)
    return `${agents}/chats/${chat}`
  }
  const titles = async (as: { call: typeof ada.call }, query = ''): Promise<string[]> =>
    (await as.call('GET', `${agents}/chats${query}`)).body.data.chats
      .map(({ title }: { title: string }) => title)
      .sort()
  const key = { call: (method: string, path: string, body?: unknown) => app.call(method, path, body) as never }
  return { app, ada, bob, cleo, agents, begin, titles, key }
}

describe('a chat of a member', () => {
  test('is nobody else’s: neither members, admins nor keys see or change it', async () => {
    const { app, ada, bob, cleo, begin, titles, key } = await start()
    const chat = await begin(ada, 'Mine')
    const [message] = (await ada.call('GET', `${chat}/messages`)).body.data.messages
    const at = `${chat}/message/${message.id}`
    const requests: [method: string, path: string, body?: unknown][] = [
      ['GET', chat],
      ['PATCH', chat, { title: 'Theirs' }],
      ['GET', `${chat}/messages`],
      ['POST', `${chat}/query`, { query: 'What did she say?' }],
      ['POST', `${chat}/async_query`, { query: 'And now?', webhook_url: 'https://example.com/hook' }],
      ['GET', at],
      ['GET', `${at}/events`],
      ['PATCH', at, { is_pinned: true }],
      ['POST', `${at}/feedback`, { rating: 'up' }],
      ['POST', `${at}/review`, { decision: 'approve' }],
      ['POST', `${at}/cancel`],
      ['DELETE', at],
      ['DELETE', chat],
    ]
    for (const as of [bob, cleo, key])
      for (const [method, path, body] of requests) {
        const reply = await as.call(method, path, body)
        expect([method, path, reply.status, (reply.body as any).error_code]).toEqual([
          method,
          path,
          404,
          'CHAT_NOT_FOUND',
        ])
      }
    expect(await titles(bob)).toEqual([])
    expect(await titles(cleo)).toEqual([])
    expect(await titles(key)).toEqual([])
    expect(await titles(ada)).toEqual(['Mine'])
    const personal = await ada.call('POST', '/account/api-keys', { name: 'Laptop' })
    expect((await app.call('GET', chat, undefined, { key: personal.body.data.key })).status).toBe(200)
    expect((await ada.call('PATCH', at, { is_pinned: true })).status).toBe(200)
  })

  test('is read by those whom the agent’s owner lets see its threads, from then on, and changed by nobody', async () => {
    const { ada, bob, cleo, agents, begin, titles } = await start()
    const before = await begin(ada, 'Before')
    const asked = { admins: true }
    expect((await grantAgent(cleo, agents, 'threads', asked)).status).toBe(403)
    expect((await grantAgent(bob, agents, 'threads', asked)).status).toBe(403)
    const told = await grantAgent(ada, agents, 'threads', asked)
    expect(told.body.data).toMatchObject({
      grants: [{ kind: 'admins', level: 'threads' }],
      owner: { name: 'ada' },
      can_change_threads: true,
    })
    expect((await bob.call('GET', `${agents}/grants`)).body.data).toMatchObject({
      grants: [{ kind: 'admins', level: 'threads' }],
      can_change_threads: false,
    })
    const after = await begin(bob, 'After')
    expect(await titles(cleo)).toEqual(['After'])
    expect(await titles(cleo, '?scope=own')).toEqual([])
    expect((await cleo.call('GET', `${after}/messages`)).body.data.messages).toHaveLength(1)
    expect((await cleo.call('POST', `${after}/query`, { query: 'Me too' })).status).toBe(403)
    expect((await cleo.call('DELETE', after)).status).toBe(403)
    expect((await cleo.call('GET', before)).status).toBe(404)
    // The owner of the agent is none of those who were named.
    expect(await titles(ada)).toEqual(['Before'])
    await grantAgent(ada, agents, 'threads', { member_ids: [ada.memberId] })
    expect(await titles(cleo)).toEqual([])
    expect((await cleo.call('GET', after)).status).toBe(404)
    await begin(bob, 'Later')
    expect(await titles(ada)).toEqual(['Before', 'Later'])
  })

  test('is read by the members of a group that is let, for as long as they are in it', async () => {
    const { app, ada, bob, agents, begin, titles } = await start()
    const groups = `/groups`
    const group = (await app.call('POST', groups, { name: 'Review' })).body.data.id
    const member = `/members/${bob.memberId}`
    await grantAgent(ada, agents, 'threads', { group_ids: [group] })
    await begin(ada, 'Mine')
    expect(await titles(bob)).toEqual([])
    await app.call('PATCH', member, { group_ids: [group] })
    expect(await titles(bob)).toEqual(['Mine'])
    await app.call('PATCH', member, { group_ids: [] })
    expect(await titles(bob)).toEqual([])
    const elsewhere = await grantAgent(ada, agents, 'threads', { member_ids: ['f'.repeat(24)] })
    expect(elsewhere).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
  })
})

test('chats that came over a key are for keys, admins and those who see the threads, and in no one’s own list', async () => {
  const { ada, bob, cleo, agents, begin, titles, key } = await start()
  const chat = await begin(key as never, 'Program')
  expect(await titles(key)).toEqual(['Program'])
  expect(await titles(cleo)).toEqual(['Program'])
  expect(await titles(cleo, '?scope=own')).toEqual([])
  expect(await titles(bob)).toEqual([])
  expect((await bob.call('GET', chat)).status).toBe(404)
  await grantAgent(ada, agents, 'threads', { member_ids: [bob.memberId] })
  expect(await titles(bob)).toEqual(['Program'])
  expect((await bob.call('POST', `${chat}/query`, { query: 'Hi' })).status).toBe(403)
  expect((await cleo.call('POST', `${chat}/query`, { query: 'Hi' })).status).toBe(200)
})

test('who may see the threads of an agent that a key made is up to the admins', async () => {
  const { app, bob, cleo } = await start()
  const id = (await app.call('POST', '/agents', { name: 'Program', model: 'builtin/extractive' })).body.data.id
  const set = (as: typeof bob) => grantAgent(as, `/agents/${id}`, 'threads', { admins: true })
  expect((await set(bob)).status).toBe(403)
  expect((await set(cleo)).body.data).toMatchObject({ grants: [{ kind: 'admins' }], owner: null })
})

test('a person’s chats that are listed for admins leave out what is private to other members', async () => {
  const { app, ada, agents } = await start()
  const chat = (await ada.call('POST', `${agents}/chats`, { title: 'Mine' })).body.data.chat.id
  await ada.call('POST', `${agents}/chats/${chat}/query`, { query: 'Hi', virtual_user_email: 'eve@example.com' })
  const users = `/workspaces/${app.owner.workspaceId}/virtual-users`
  const [eve] = (await app.call('GET', users)).body.data.virtual_users
  expect((await app.call('GET', `${users}/${eve.id}/chats`)).body.data).toMatchObject({ chats: [], total: 0 })
})
