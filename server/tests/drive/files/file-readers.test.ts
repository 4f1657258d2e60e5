import { describe, expect, test, vi } from 'vitest'
import { folderGrants } from '../../support/access/grants.ts'
import { addKey, addMember } from '../../support/access/keys.ts'
import { join } from '../../support/access/people.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { answer, type Script } from '../../support/models/model-server.ts'

const ADA = 'ada@example.com'
const BOB = 'bob@example.com'

interface Sender {
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
}

/** A folder with two files about a telescope, an agent that quotes from it, and members Ada and Bob. */
async function start({ script }: { script?: Script } = {}) {
  const app = await startTestChat({ script })
  const drive = driveOf(app)
  const folder = await drive.newFolder('Optics')
  const at = `/knowledge-bases/${folder}`
  const open = await drive.addFile(folder, {
    title: 'open.txt',
    content: 'The telescope of the hall is heavy.',
    index: true,
  })
  const secret = await drive.addFile(folder, {
    title: 'secret.txt',
    content: 'The telescope of the vault is priceless.',
    index: true,
  })
  const titles = async (as: Sender) => {
    const { body } = await as.call('GET', `${at}/data-sources?order_by=title`)
    return body.data.data_sources.map(({ title }: { title: string }) => title) as string[]
  }
  const found = async (as: Sender, query = 'telescope') => {
    const { body } = await as.call('GET', `${at}/search?query=${query}`)
    return body.data.results.map(({ title }: { title: string }) => title).sort() as string[]
  }
  await vi.waitFor(async () => expect(await found(app)).toEqual(['open.txt', 'secret.txt']), { timeout: 60_000 })
  const ada = await addMember(app, ADA)
  const bob = await addMember(app, BOB)
  const set = (readers: object | null, id = secret) => app.call('PUT', `${at}/data-sources/${id}/readers`, { readers })
  const asKey = (key: string): Sender => ({ call: (method, path, body) => app.call(method, path, body, { key }) })
  return { ...app, drive, folder, at, open, secret, titles, found, ada, bob, set, asKey }
}

const BOTH = ['open.txt', 'secret.txt']
const ONE = ['open.txt']

test('a list says who of the readers of the folder may read a file, and owners and admins may anyway', async () => {
  const app = await start()
  const { ada, bob, set, titles, found, asKey, at, secret, call } = app
  const admin = asKey(await addKey(app, { role: 'admin' }))
  const key = asKey(await addKey(app, { role: 'member' }))
  const seen = async () => ({
    ada: await titles(ada),
    bob: await titles(bob),
    admin: await titles(admin),
    key: await titles(key),
  })
  expect(await seen()).toEqual({ ada: BOTH, bob: BOTH, admin: BOTH, key: BOTH })
  expect((await set({ emails: ['ADA@example.com'] })).body.data).toEqual({
    is_restricted: true,
    readers: { emails: ['ADA@example.com'], groups: [], domains: [] },
    from: 'people',
    can_change: true,
  })
  expect(await seen()).toEqual({ ada: BOTH, bob: ONE, admin: BOTH, key: ONE })
  expect([await found(ada), await found(bob), await found(key)]).toEqual([BOTH, ONE, ONE])
  expect((await bob.call('GET', `${at}/data-sources/${secret}`)).status).toBe(404)
  expect((await bob.call('GET', `/data-sources/${secret}`)).body.error_code).toBe('DATA_SOURCE_NOT_FOUND')
  expect((await ada.call('GET', `${at}/data-sources/${secret}`)).body.data.is_restricted).toBe(true)
  expect((await ada.call('GET', `${at}/data-sources/${secret}/readers`)).body.data).toEqual({
    is_restricted: true,
    readers: null,
    from: 'people',
    can_change: false,
  })
  expect((await bob.call('GET', `${at}?include_counts=true`)).body.data.files_count).toBe(
    (await call('GET', `${at}?include_counts=true`)).body.data.files_count - 1,
  )
  await set({ emails: [] })
  expect(await seen()).toEqual({ ada: ONE, bob: ONE, admin: BOTH, key: ONE })
  await set(null)
  expect(await seen()).toEqual({ ada: BOTH, bob: BOTH, admin: BOTH, key: BOTH })
})

test('lists name groups and domains; who joins, leaves or comes later counts at once', async () => {
  const app = await start()
  const { ada, bob, set, titles, call } = app
  const group = async (name: string) => (await call('POST', '/groups', { name })).body.data.id as string
  const crew = await group('Night Crew')
  await set({ groups: ['night crew'] })
  expect(await titles(ada)).toEqual(ONE)
  await call('PATCH', `/members/${ada.memberId}`, { group_ids: [crew] })
  expect([await titles(ada), await titles(bob)]).toEqual([BOTH, ONE])
  await call('PATCH', `/groups/${crew}`, { name: 'Day Crew' })
  expect(await titles(ada)).toEqual(ONE)
  await set({ groups: ['Day crew'] })
  expect(await titles(ada)).toEqual(BOTH)
  await call('DELETE', `/groups/${crew}`)
  expect(await titles(ada)).toEqual(ONE)
  await set({ domains: ['Example.com'] })
  expect([await titles(ada), await titles(bob)]).toEqual([BOTH, BOTH])
  await set({ domains: ['ample.com'], emails: ['dan@example.com'] })
  expect([await titles(ada), await titles(bob)]).toEqual([ONE, ONE])
  const dan = await join(app, { email: 'dan@example.com', role: 'member', isInvitedByEmail: true })
  expect(await titles(dan)).toEqual(BOTH)
  await call('PATCH', `/members/${bob.memberId}`, { role: 'admin' })
  expect(await titles(bob)).toEqual(BOTH)
})

test('an e-mail that only its bearer vouches for names nobody', async () => {
  const app = await start()
  const { set, titles } = app
  await set({ emails: ['eve@example.com'], domains: ['example.org'] })
  const eve = await join(app, { email: 'eve@example.com', role: 'member' })
  const mallory = await join(app, { email: 'mallory@example.org', role: 'member' })
  expect([await titles(eve), await titles(mallory)]).toEqual([ONE, ONE])
})

test('a list narrows what the rights to the folder give, and widens nothing', async () => {
  const { ada, set, at, secret, call, owner } = await start()
  await set({ emails: [ADA] })
  await call('PUT', `${at}/grants`, folderGrants(owner.workspaceId, { everyone: 'none' }))
  expect((await ada.call('GET', `${at}/data-sources/${secret}`)).body.error_code).toBe('KNOWLEDGE_BASE_NOT_FOUND')
  expect((await ada.call('GET', `/data-sources/${secret}`)).status).toBe(404)
})

test('who manages the folder sets the readers, others are refused; wrong lists are told', async () => {
  const { ada, set, at, secret, call, owner } = await start()
  const path = `${at}/data-sources/${secret}/readers`
  expect((await ada.call('PUT', path, { readers: null })).status).toBe(403)
  const members = [{ id: ada.memberId, level: 'manage' }]
  await call('PUT', `${at}/grants`, folderGrants(owner.workspaceId, { members }))
  expect((await ada.call('PUT', path, { readers: { emails: [ADA] } })).body.data.can_change).toBe(true)
  const { entries } = (await call('GET', `/workspaces/${owner.workspaceId}/audit-log`)).body.data
  expect(entries[0]).toMatchObject({ action: 'data_source.readers_changed', target: { id: secret } })
  await everyRow(
    [
      [{ emails: ['ada'] }, 'must be a valid e-mail'],
      [{ domains: ['*'] }, 'must be a domain, such as example.com'],
      [{ groups: [' '] }, 'must not be empty'],
      [{ members: [] }, 'members'],
    ],
    async (readers: object, message: string) => {
      const reply = await call('PUT', path, { readers })
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
      expect(JSON.stringify(reply.body)).toContain(message)
    },
  )
  expect((await set(null)).status).toBe(200)
})

describe('answers', () => {
  const QUESTION = 'What is the telescope of the vault?'

  test('are given from what the asker may read, a virtual user as well', async () => {
    const { ada, bob, set, folder, call, newAgent, succeed } = await start()
    const agent = await newAgent({ model: 'builtin/extractive', knowledge_base_ids: [folder], visibility: 'public' })
    await set({ emails: [ADA] })
    const cited = async (as: Sender, fields: object = {}) => {
      const { body } = await as.call('POST', `/agents/${agent}/chats`, {})
      const chat = `/agents/${agent}/chats/${body.data.chat.id}`
      const reply = await as.call('POST', `${chat}/query`, { query: QUESTION, ...fields })
      const { citations } = (await as.call('GET', `${chat}/message/${reply.body.data.message_id}`)).body.data
      return [...new Set<string>(citations.map(({ title }: { title: string }) => title))].sort()
    }
    expect(await cited(ada)).toContain('secret.txt')
    expect(await cited(bob)).not.toContain('secret.txt')
    expect(await cited({ call })).toContain('secret.txt')
    expect(await cited({ call }, { virtual_user_email: BOB })).not.toContain('secret.txt')
    expect(await cited({ call }, { virtual_user_email: ADA })).toContain('secret.txt')
    // A member who asks for somebody else reads no more than they may themselves.
    expect(await cited(bob, { virtual_user_email: ADA })).not.toContain('secret.txt')
    const { data } = await succeed('POST', '/user-tokens', { virtual_user_email: BOB, agent_ids: [agent] })
    const user: Sender = { call: (method, path, body) => call(method, path, body, { key: data.token }) }
    expect(await cited(user)).not.toContain('secret.txt')
  })

  test('that were given before leave the memory of the chat with the right', async () => {
    const { ada, set, folder, newAgent, model } = await start({
      script: () => answer('The vault telescope is priceless.'),
    })
    const agent = await newAgent({ knowledge_base_ids: [folder], visibility: 'public' })
    await set({ emails: [ADA, BOB] })
    const { body } = await ada.call('POST', `/agents/${agent}/chats`, {})
    const ask = (query: string) => ada.call('POST', `/agents/${agent}/chats/${body.data.chat.id}/query`, { query })
    await ask(QUESTION)
    await ask('And now?')
    expect(JSON.stringify(model.requests.at(-1))).toContain('The vault telescope is priceless.')
    await set({ emails: [BOB] })
    await ask('And after?')
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('The vault telescope is priceless.')
    await ask('And further?')
    expect(JSON.stringify(model.requests.at(-1))).toContain('And after?')
  })
})

test('a search goes past what lists hide, however much of the best that is', async () => {
  const { drive, at, found, ada, services, call } = await start()
  const hidden = Array.from({ length: 120 }, (_, number) => ({
    external_id: `${number}`,
    title: `${number}.txt`,
    text: `Brass telescope, brass eyepiece, number ${number}.`,
    readers: { emails: [BOB] },
  }))
  // Words that nearly every file holds count for nothing.
  const others = hidden.map((_, number) => ({
    external_id: `rope-${number}`,
    title: `rope-${number}.txt`,
    text: 'Rope.',
  }))
  const items = [...hidden, ...others]
  await drive.succeed('POST', `${at}/data-sources/batch`, { items })
  await vi.waitFor(
    async () => {
      const rows = await services.db.selectFrom('data_source').select('status').execute()
      expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'successful'))
    },
    { timeout: 120_000, interval: 500 },
  )
  const query = 'brass%20telescope%20eyepiece'
  expect(await found({ call }, query)).not.toContain('open.txt')
  expect(await found(ada, query)).toEqual(BOTH)
})

test('a system that pushes says who may read, and goes on pushing what its key may not read', async () => {
  const app = await start()
  const { ada, bob, at, asKey } = app
  const key = asKey(await addKey(app, { role: 'member' }))
  const path = `${at}/data-sources/by-external-id/page-1`
  const page = { title: 'page.txt', text: 'A page.', readers: { emails: [ADA] } }
  const put = async (as: Sender, more: object = {}) => {
    const { status, body } = await as.call('PUT', path, { ...page, ...more })
    return body.outcome ?? `${status} ${body.error_code}`
  }
  const seen = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries({ ada, bob, key }).map(async ([name, as]) => [name, (await as.call('GET', path)).status]),
      ),
    )
  expect(await put(key)).toBe('created')
  expect(await seen()).toEqual({ ada: 200, bob: 404, key: 404 })
  expect(await put(key)).toBe('unchanged')
  expect(await put(key, { readers: undefined, text: 'Another page.' })).toBe('replaced')
  expect(await seen()).toEqual({ ada: 200, bob: 404, key: 404 })
  expect(await put(bob, { readers: null })).toBe('409 EXTERNAL_ID_TAKEN')
  expect((await bob.call('DELETE', path)).body.error_code).toBe('EXTERNAL_ID_TAKEN')
  expect(await put(key, { readers: { emails: [BOB] }, text: 'Another page.' })).toBe('updated')
  expect(await seen()).toEqual({ ada: 404, bob: 200, key: 404 })
  expect(await put(key, { readers: null, text: 'Another page.' })).toBe('updated')
  expect(await seen()).toEqual({ ada: 200, bob: 200, key: 200 })
})
