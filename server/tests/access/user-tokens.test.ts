import { expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { readEvents } from '../support/chats/events.ts'
import { manualClock } from '../support/clock.ts'
import { driveOf } from '../support/drive/drive.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const ADA = 'ada@example.com'
const BOB = 'bob@example.com'
const NO_ID = 'f'.repeat(24)

async function start(options: Parameters<typeof startTestChat>[0] = {}) {
  const app = await startTestChat(options)
  const { call, succeed, agentId } = app
  const keysPath = `/workspaces/${app.owner.workspaceId}/api-keys`

  const newToken = async (email: string, fields: object = {}, key?: string): Promise<string> => {
    const body = { virtual_user_email: email, agent_ids: [agentId], ...fields }
    return (await succeed('POST', '/user-tokens', body, key ? { key } : {})).data.token
  }
  const newKey = async (fields: object): Promise<{ id: string; key: string }> =>
    (await succeed('POST', keysPath, { name: 'Backend', ...fields })).data

  /** A caller with another key or token. */
  const as = (key: string) => ({
    call: (method: string, path: string, body?: unknown) => call(method, path, body, { key }),
    begin: async (fields: object = {}, agent = agentId) => {
      const { data } = await succeed('POST', `/agents/${agent}/chats`, fields, { key })
      return `/agents/${agent}/chats/${data.chat.id}`
    },
    list: async (agent = agentId): Promise<string[]> =>
      (await succeed('GET', `/agents/${agent}/chats`, undefined, { key })).data.chats.map(
        ({ id }: { id: string }) => `/agents/${agent}/chats/${id}`,
      ),
  })
  return { ...app, keysPath, newToken, newKey, as }
}

test('a virtual user chats with a token of their own, and sees nobody else', async () => {
  const { newToken, as, call, url, ask, path } = await start({ script: () => answer('Nine to six.') })
  await ask('Of the key', { virtual_user_email: ADA })
  const adaToken = await newToken(ADA)
  const ada = as(adaToken)
  const bob = as(await newToken(BOB))
  const chat = await ada.begin({ title: 'Hours' })
  const asked = await ada.call('POST', `${chat}/query`, { query: 'When?' })
  expect(asked).toMatchObject({ status: 200, body: { data: { text: 'Nine to six.' } } })
  const { message_id: id } = asked.body.data

  const streamed = await fetch(`${url}/v1${chat}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adaToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'And on Sunday?', is_stream: true }),
  })
  expect(streamed.status).toBe(200)
  await readEvents(streamed, new AbortController()).rest()
  expect((await ada.call('GET', `${chat}/message/${id}/events`)).body).toContain('[DONE]')
  expect((await ada.call('POST', `${chat}/message/${id}/feedback`, { rating: 'up' })).status).toBe(200)
  expect((await ada.call('POST', `${chat}/message/${id}/cancel`)).status).toBe(200)
  const { body: history } = await ada.call('GET', `${chat}/messages`)
  expect(history.data.total).toBe(2)
  expect(history.data.messages[0]).toMatchObject({ feedback: { rating: 'up' } })

  // Later visits and other tokens of the person find the chat; nobody else does, and they find nobody else's.
  expect(await as(await newToken(ADA)).list()).toEqual([chat])
  expect(await bob.list()).toEqual([])
  for (const [method, at] of [
    ['GET', chat],
    ['GET', `${chat}/messages`],
    ['GET', `${chat}/message/${id}`],
    ['GET', `${chat}/message/${id}/events`],
    ['POST', `${chat}/message/${id}/cancel`],
  ] as const)
    expect(await bob.call(method, at)).toMatchObject({ status: 404, body: { error_code: 'CHAT_NOT_FOUND' } })
  expect((await bob.call('POST', `${chat}/query`, { query: 'Hi' })).status).toBe(404)
  expect((await ada.call('GET', path)).status).toBe(404)
  // The key that made the token sees it, with the person.
  const { body } = await call('GET', `${chat.split('/').slice(0, 4).join('/')}?virtual_user_email=${ADA}`)
  expect(body.data.chats.map((one: { id: string }) => chat.endsWith(one.id))).toContain(true)
})

test('a token opens nothing else: no other agent, person or operation, and makes no token', async () => {
  const { newToken, newAgent, as, owner } = await start({ script: () => answer('Yes.') })
  const other = await newAgent({ name: 'Other' })
  const token = await newToken(ADA)
  const ada = as(token)
  const chat = await ada.begin()
  expect((await ada.call('POST', `/agents/${other}/chats`, {})).status).toBe(404)
  const refused = await ada.call('POST', '/user-tokens', { virtual_user_email: ADA, agent_ids: [other] })
  expect(refused).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  for (const [method, at] of [
    ['GET', '/me'],
    ['GET', '/agents'],
    ['GET', '/knowledge-bases'],
    ['GET', `/knowledge-bases/${NO_ID}/search?query=a`],
    ['PATCH', chat],
    ['DELETE', chat],
    ['POST', `${chat}/async_query`],
    ['GET', `/workspaces/${owner.workspaceId}/virtual-users`],
    ['GET', `/workspaces/${owner.workspaceId}/api-keys`],
    ['GET', `/workspaces/${owner.workspaceId}/origins`],
  ] as const)
    expect([at, (await ada.call(method, at, method === 'GET' ? undefined : {})).status]).toEqual([at, 403])
  expect((await ada.call('POST', `${chat}/query`, { query: 'Hi', virtual_user_email: BOB })).status).toBe(400)
  expect((await ada.call('POST', `/agents/${chat.split('/')[2]}/chats`, { virtual_user_email: BOB })).status).toBe(403)
  expect((await ada.call('POST', `${chat}/query`, { query: 'Hi', virtual_user_email: ADA })).status).toBe(200)
  const changed = `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`
  expect((await as(changed).call('GET', chat)).status).toBe(401)
})

test('it ends with its time, its key, its person, and its agent', async () => {
  const clock = manualClock('2026-03-01T18:00:00.000Z')
  const { newToken, newKey, newAgent, as, call, keysPath, owner, agentId } = await start({ clock })
  const status = async (token: string, agent = agentId) =>
    (await as(token).call('GET', `/agents/${agent}/chats`)).status
  const short = await newToken(ADA, { expires_in: 60 })
  expect(await status(short)).toBe(200)
  clock.pass(60_000)
  expect(await as(short).call('GET', `/agents/${agentId}/chats`)).toMatchObject({
    status: 401,
    body: { error_code: 'UNAUTHORIZED', message: 'This user token has expired: get another one' },
  })

  const { id, key } = await newKey({})
  const ofKey = await newToken(ADA, {}, key)
  expect(await status(ofKey)).toBe(200)
  await call('DELETE', `${keysPath}/${id}`)
  expect(await status(ofKey)).toBe(401)

  const agent = await newAgent()
  const ofAgent = await newToken(ADA, { agent_ids: [agent] })
  expect(await status(ofAgent, agent)).toBe(200)
  await call('DELETE', `/agents/${agent}`)
  expect(await status(ofAgent, agent)).toBe(404)

  const ofPerson = await newToken(ADA)
  const { body } = await call('GET', `/workspaces/${owner.workspaceId}/virtual-users?email=${ADA}`)
  const person = body.data.virtual_users[0].id
  await call('DELETE', `/workspaces/${owner.workspaceId}/virtual-users/${person}`)
  expect(await status(ofPerson)).toBe(401)
})

test('a token may no more than its key', async () => {
  const { newToken, newKey, newAgent, as, call, agentId, keysPath } = await start({ script: () => answer('Yes.') })
  const other = await newAgent({ name: 'Other' })
  const ask = (key: string, agents: string[]) =>
    call('POST', '/user-tokens', { virtual_user_email: ADA, agent_ids: agents }, { key })
  const bound = await newKey({ scopes: { agent_ids: [agentId] } })
  expect(await ask(bound.key, [other])).toMatchObject({ status: 404, body: { error_code: 'AGENT_NOT_FOUND' } })
  expect((await ask(bound.key, [agentId, other])).status).toBe(404)
  expect((await ask(bound.key, [NO_ID])).status).toBe(404)
  expect((await ask(bound.key, [agentId])).status).toBe(200)

  const reading = await newKey({ scopes: { operations: ['userTokens.create', 'chats.list'] } })
  const token = await newToken(ADA, {}, reading.key)
  expect(await as(token).list()).toEqual([])
  expect((await as(token).call('POST', `/agents/${agentId}/chats`, {})).status).toBe(403)

  // Narrowed later, the key takes its tokens with it.
  const wide = await newKey({})
  const wideToken = await newToken(ADA, { agent_ids: [agentId, other] }, wide.key)
  expect(await as(wideToken).list(other)).toEqual([])
  await call('PATCH', `${keysPath}/${wide.id}`, { scopes: { agent_ids: [agentId] } })
  expect((await as(wideToken).call('GET', `/agents/${other}/chats`)).status).toBe(404)
  expect(await as(wideToken).list(agentId)).toEqual([])

  const limits = { virtual_user_email: ADA, agent_ids: [agentId] }
  for (const expires_in of [59, 86_401, 1.5])
    expect((await call('POST', '/user-tokens', { ...limits, expires_in })).status).toBe(400)
  expect((await call('POST', '/user-tokens', { ...limits, knowledge_base_ids: [NO_ID] })).status).toBe(404)
})

test('folders of a token narrow the answers, and it opens only files that these cite, if it says so', async () => {
  const { newToken, newAgent, as, model, ...app } = await start({
    script: ({ body }) =>
      body.messages.at(-1).role === 'tool'
        ? answer('As it says [1].')
        : answer({ toolCall: { name: 'search_knowledge', arguments: { query: 'hours' } } }),
  })
  const { newFolder, addFile } = driveOf(app)
  const [open, secret] = [await newFolder('Open'), await newFolder('Secret')]
  const shown = await addFile(open, {
    title: 'hours.md',
    content: 'The hours of the shop are nine to six.',
    index: true,
  })
  const hidden = await addFile(secret, {
    title: 'vault.md',
    content: 'The hours of the vault are midnight to one.',
    index: true,
  })
  const statusOf = async (folder: string, file: string) =>
    (await app.call('GET', `/knowledge-bases/${folder}/data-sources/${file}`)).body.data.status
  await vi.waitFor(
    async () =>
      expect([await statusOf(open, shown), await statusOf(secret, hidden)]).toEqual(['successful', 'successful']),
    { timeout: 60_000, interval: 50 },
  )
  const agent = await newAgent({ knowledge_base_ids: [open, secret] })
  const fields = { agent_ids: [agent], knowledge_base_ids: [open] }
  const ada = as(await newToken(ADA, { ...fields, read_cited_files: true }))
  const chat = await ada.begin({}, agent)
  expect((await ada.call('POST', `${chat}/query`, { query: 'hours?' })).status).toBe(200)
  const [message] = (await ada.call('GET', `${chat}/messages`)).body.data.messages
  expect(message.citations.map((one: any) => one.data_source_id)).toEqual([shown])
  expect(JSON.stringify(model.requests)).not.toContain('vault')
  expect((await ada.call('POST', `${chat}/query`, { query: 'hours?', knowledge_base_ids: [secret] })).status).toBe(404)

  const content = (folder: string, file: string) => `/knowledge-bases/${folder}/data-sources/${file}/content`
  expect((await ada.call('GET', content(open, shown))).body).toContain('nine to six')
  expect((await ada.call('GET', content(secret, hidden))).status).toBe(404)
  expect((await ada.call('GET', content(open, hidden))).status).toBe(404)
  const bob = as(await newToken(BOB, { ...fields, read_cited_files: true }))
  expect((await bob.call('GET', content(open, shown))).status).toBe(404)
  const blind = as(await newToken(ADA, fields))
  expect((await blind.call('GET', content(open, shown))).status).toBe(403)
})

test('a file that a virtual user uploads is theirs', async () => {
  const { newToken, as } = await start({ script: () => answer('Read.') })
  const ada = as(await newToken(ADA))
  const form = () => {
    const body = new FormData()
    body.set('file', new File(['Some text'], 'notes.txt'))
    return body
  }
  const { data: file } = (await ada.call('POST', '/uploaded-files', form())).body
  const bob = as(await newToken(BOB))
  const bobs = await bob.begin()
  const stolen = await bob.call('POST', `${bobs}/query`, { query: 'Read', uploaded_files: [file] })
  expect(stolen).toMatchObject({ status: 404, body: { error_code: 'FILE_NOT_FOUND' } })
  const chat = await ada.begin()
  expect((await ada.call('POST', `${chat}/query`, { query: 'Read', uploaded_files: [file] })).status).toBe(200)
})

test('one end user does not use up what all of a key share', async () => {
  const { newToken, as, agentId, call } = await start({
    settings: { DOCENT_RATE_LIMIT: '500', DOCENT_RATE_BURST: '500' },
  })
  const ada = as(await newToken(ADA))
  const bob = as(await newToken(BOB))
  const list = (one: typeof ada) => one.call('GET', `/agents/${agentId}/chats`)
  const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await list(ada)).status))
  expect(statuses).toContain(429)
  expect((await list(bob)).status).toBe(200)
  expect((await call('GET', '/me')).status).toBe(200)
})

test('a key that is narrowed to virtual users speaks for them, and reads only what is theirs', async () => {
  const { newKey, newToken, as, call, agentId, path, keysPath, ask } = await start({ script: () => answer('Yes.') })
  await ask('Of nobody')
  const adas = await as(await newToken(ADA)).begin()
  const bobs = await as(await newToken(BOB)).begin()
  const made = await newKey({ role: 'admin', scopes: { virtual_user_emails: [ADA] } })
  const ada = as(made.key)
  expect(await ada.list()).toEqual([adas])
  const own = await ada.begin()
  expect(new Set(await ada.list())).toEqual(new Set([adas, own]))
  for (const chat of [path, bobs]) {
    expect((await ada.call('GET', `${chat}/messages`)).status).toBe(404)
    expect((await ada.call('POST', `${chat}/query`, { query: 'Hi' })).status).toBe(404)
    expect((await ada.call('DELETE', chat)).status).toBe(404)
  }
  expect((await ada.call('POST', `${own}/query`, { query: 'Hi' })).status).toBe(200)
  expect((await ada.call('POST', `${own}/query`, { query: 'Hi', virtual_user_email: BOB })).status).toBe(400)
  expect((await ada.call('POST', `/agents/${agentId}/chats`, { virtual_user_email: BOB })).status).toBe(403)
  const tokenFor = (email: string) =>
    ada.call('POST', '/user-tokens', { virtual_user_email: email, agent_ids: [agentId] })
  expect((await tokenFor(BOB)).status).toBe(403)
  const token = (await tokenFor(ADA)).body.data.token
  expect((await as(token).list()).length).toBe(2)
  for (const at of ['/knowledge-bases', `${keysPath}`, '/reviews'])
    expect([at, [403, 404]]).toEqual([at, expect.arrayContaining([(await ada.call('GET', at)).status])])
  expect((await ada.call('GET', '/me')).body.data.key.scopes.virtual_user_ids).toHaveLength(1)

  // Given to another person, key and tokens lose the first one.
  const patched = await call('PATCH', `${keysPath}/${made.id}`, { scopes: { virtual_user_emails: [ADA, BOB] } })
  expect(patched.body.data.scopes.virtual_user_ids).toHaveLength(2)
  const both = as(made.key)
  expect(new Set(await both.list())).toEqual(new Set([adas, own, bobs]))
  const unnamed = await both.call('POST', `/agents/${agentId}/chats`, {})
  expect([unnamed.status, unnamed.body.message]).toEqual([400, expect.stringContaining('virtual_user_email')])
  await both.begin({ virtual_user_email: BOB })
  await call('PATCH', `${keysPath}/${made.id}`, { scopes: { virtual_user_emails: [BOB] } })
  expect((await both.list()).length).toBe(2)
  expect((await as(token).call('GET', `/agents/${agentId}/chats`)).status).toBe(401)
  expect((await call('PATCH', `${keysPath}/${made.id}`, { scopes: { virtual_user_ids: [NO_ID] } })).status).toBe(400)
})

test('chats follow their person when two are merged, and go with them when they are erased', async () => {
  const { newToken, as, call, owner, ask } = await start({ script: () => answer('Yes.') })
  const users = `/workspaces/${owner.workspaceId}/virtual-users`
  const idOf = async (email: string) => (await call('GET', `${users}?email=${email}`)).body.data.virtual_users[0].id
  const before = await newToken(ADA)
  const chat = await as(before).begin()
  await as(before).call('POST', `${chat}/query`, { query: 'Hi' })
  const bob = as(await newToken(BOB))
  const empty = await bob.begin()
  const merged = await call('POST', `${users}/${await idOf(ADA)}/merge`, { into_virtual_user_id: await idOf(BOB) })
  expect(merged.status).toBe(200)
  expect((await as(before).call('GET', chat)).status).toBe(401)
  expect(new Set(await bob.list())).toEqual(new Set([chat, empty]))
  expect((await bob.call('POST', `${chat}/query`, { query: 'Again' })).status).toBe(200)
  // The e-mail of the first stands for the second.
  expect((await ask('On', { virtual_user_email: ADA }, chat)).status).toBe(200)
  expect((await ask('On', { virtual_user_email: 'eve@example.com' }, chat)).status).toBe(400)
  expect((await ask('On', {}, chat)).status).toBe(200)
  const erased = await call('POST', `${users}/${await idOf(BOB)}/erase`)
  expect(erased.body.data).toMatchObject({ chats_deleted: 2, messages_deleted: 4 })
  expect((await call('GET', chat)).status).toBe(404)
})

/** Requests of a page of another origin, as a browser sends them. */
test('only pages of listed origins read answers to user tokens, errors too, and other credentials get nothing', async () => {
  const { newToken, newKey, call, url, owner, agentId, succeed } = await start({ script: () => answer('Yes.') })
  const origins = `/workspaces/${owner.workspaceId}/origins`
  const page = 'https://app.example.com'
  for (const wrong of ['http://app.example.com', 'https://*.example.com', 'https://a.b/path', 'a.b', '*', 'null'])
    expect([wrong, (await call('PUT', origins, { origins: [wrong] })).status]).toEqual([wrong, 400])
  const listed = await succeed('PUT', origins, { origins: [page, 'http://localhost:3000', `${page}/`] })
  expect(listed.data.origins).toEqual(['http://localhost:3000', page])
  expect((await call('GET', origins, undefined, { key: (await newKey({})).key })).status).toBe(403)
  const { entries } = (await call('GET', `/workspaces/${owner.workspaceId}/audit-log`)).body.data
  expect(entries.map(({ action }: any) => action)).toContain('workspace.origins_changed')

  const chats = `/agents/${agentId}/chats`
  const preflight = (path: string, origin: string) =>
    fetch(`${url}/v1${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    })
  const allowed = await preflight(chats, page)
  expect([allowed.status, allowed.headers.get('vary')]).toEqual([204, 'Origin'])
  expect(allowed.headers.get('access-control-allow-origin')).toBe(page)
  expect(allowed.headers.get('access-control-allow-methods')).toContain('POST')
  expect(allowed.headers.get('access-control-allow-headers')).toContain('x-api-key')
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
  expect((await preflight(chats, 'https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull()
  for (const path of ['/knowledge-bases', '/user-tokens', '/me', '/agents', origins])
    expect([path, (await preflight(path, page)).headers.get('access-control-allow-origin')]).toEqual([path, null])

  const token = await newToken(ADA)
  const asPage = (path: string, { key = token, origin = page, method = 'GET', body = undefined as unknown } = {}) =>
    call(method, path, body, { key, headers: { origin } })
  const allowedFor = async (...sent: Parameters<typeof asPage>) => {
    const { headers } = await asPage(...sent)
    return headers.get('access-control-allow-origin')
  }
  const { headers } = await asPage(chats)
  expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([page, 'Origin'])
  expect(await allowedFor(chats, { origin: 'https://evil.example.com' })).toBeNull()
  for (const key of [owner.apiKey, (await newKey({})).key, 'dcu_x.y', 'nonsense'])
    expect(await allowedFor(chats, { key })).toBeNull()
  // The page reads errors, too.
  expect(await allowedFor(`${chats}/${NO_ID}`)).toBe(page)
  expect(await allowedFor(chats, { method: 'POST', body: { title: 5 } })).toBe(page)
  const ended = await newToken(ADA, {}, (await newKey({ name: 'Ended' })).key)
  const keys = (await call('GET', `/workspaces/${owner.workspaceId}/api-keys`)).body.data.api_keys
  await call('DELETE', `/workspaces/${owner.workspaceId}/api-keys/${keys.find((one: any) => one.name === 'Ended').id}`)
  const refused = await asPage(chats, { key: ended })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page])
  const { data } = (await asPage(chats, { method: 'POST', body: {} })).body
  const streamed = await fetch(`${url}/v1${chats}/${data.chat.id}/query`, {
    method: 'POST',
    headers: { origin: page, 'x-api-key': token, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'Hi', is_stream: true }),
  })
  expect(streamed.headers.get('access-control-allow-origin')).toBe(page)
  expect(await streamed.text()).toContain('[DONE]')

  await succeed('PUT', origins, { origins: [] })
  expect(await allowedFor(chats)).toBeNull()
})
