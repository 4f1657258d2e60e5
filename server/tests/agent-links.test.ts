import { describe, expect, test } from 'vitest'
import { startTestChat } from './support/chat.ts'
import { manualClock } from './support/clock.ts'
import { shapeOf } from './support/events.ts'
import { everyRow } from './support/every-row.ts'
import { addKey } from './support/keys.ts'
import { answer, type Script } from './support/model-server.ts'

const DAY_MS = 86_400_000
/** Look of a link that nobody chose. */
const PLAIN = { color: null, position: 'right', starter_questions: [], language: null, logo_url: null }
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const ASK = { toolCall: { name: 'ask_person', arguments: { question: 'Which colour?' } } }
const WRITE = { toolCall: { name: 'create_file', arguments: { name: 'a.md', content: 'x' } } }

async function startShared(
  link: Record<string, unknown> = {},
  {
    script = () => answer('Hello'),
    agent = {},
    clock,
  }: { script?: Script; agent?: object; clock?: ReturnType<typeof manualClock> } = {},
) {
  const app = await startTestChat({ script, clock })
  const agentId = await app.newAgent({ name: 'Helper', visibility: 'public', description: 'Helps', ...agent })
  const made = (await app.succeed('POST', `/agents/${agentId}/links`, link)).data
  const visit = (body: object = {}, key: string | null = null) =>
    app.call('POST', `/shared/${made.token}/visits`, body, { key })
  /** A visitor with a chat. */
  async function visitor(body: object = {}) {
    const { visitor_token: token, visitor_id: id } = (await visit(body)).body.data
    const send: typeof app.call = (method, path, sent) =>
      app.call(method, path, sent, { key: null, headers: { authorization: `Bearer ${token}` } })
    const chat = (await send('POST', `/agents/${agentId}/chats`, { chat_type: 'interact' })).body.data.chat
    return { token, id, send, chat, path: `/agents/${agentId}/chats/${chat.id}` }
  }
  return { ...app, agentId, link: made, linkPath: `/agents/${agentId}/links/${made.id}`, visit, visitor }
}

describe('a link', () => {
  test('is made with safe defaults, shows where it leads, and is recorded', async () => {
    const { link, agentId, url, succeed, call, linkPath } = await startShared()
    expect(link).toEqual({
      id: expect.any(String),
      agent_id: agentId,
      name: 'Link',
      audience: 'public',
      token: expect.stringMatching(/^dcl_[\w-]{24}$/),
      url: `${url}/shared/${link.token}`,
      embed_code: `<script src="${url}/widget.js?link=${link.token}" async></script>`,
      allowed_origins: [],
      greeting: '',
      ...PLAIN,
      queries_per_minute: 60,
      queries_per_visitor_per_minute: 10,
      is_working: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const fields = {
      name: 'Site',
      greeting: 'Hi!',
      allowed_origins: ['https://WWW.example.com/', 'https://*.example.org'],
    }
    const changed = (await succeed('PATCH', linkPath, fields)).data
    expect(changed).toMatchObject({ ...fields, allowed_origins: ['https://www.example.com', 'https://*.example.org'] })
    expect((await succeed('GET', `/agents/${agentId}/links`)).data).toMatchObject({ links: [changed], total: 1 })
    await succeed('DELETE', linkPath)
    expect((await call('GET', linkPath)).body.error_code).toBe('AGENT_LINK_NOT_FOUND')
    const { workspace } = (await succeed('GET', '/me')).data
    const { entries } = (await succeed('GET', `/workspaces/${workspace.id}/audit-log?target_type=agent_link`)).data
    expect(entries.map(({ action }: any) => action)).toEqual([
      'agent_link.deleted',
      'agent_link.updated',
      'agent_link.created',
    ])
  })

  test('has a look: colour, logo, questions, place and language', async () => {
    const { link, succeed, linkPath, url } = await startShared()
    const look = {
      color: '#A01030',
      position: 'left',
      starter_questions: ['When are you open?', 'Where do I park?'],
      language: 'fr',
    }
    const shown = (await succeed('PATCH', linkPath, { ...look, logo: LOGO.toString('base64') })).data
    expect(shown).toMatchObject({ ...look, color: '#a01030', logo_url: expect.stringContaining('/logo?v=') })
    const seen = (await (await fetch(`${url}/v1/shared/${link.token}`)).json()).data
    expect(seen).toMatchObject({ ...look, color: '#a01030', logo_url: shown.logo_url })
    const logo = await fetch(url + shown.logo_url)
    expect(logo.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(LOGO)
    const again = await fetch(url + shown.logo_url, { headers: { 'if-none-match': logo.headers.get('etag')! } })
    expect(again.status).toBe(304)

    // A field that is left out stays; null takes it away.
    expect((await succeed('PATCH', linkPath, { name: 'Shop' })).data).toEqual({
      ...shown,
      name: 'Shop',
      updated_at: expect.any(String),
    })
    const plain = { ...PLAIN, logo: null, logo_url: undefined }
    expect((await succeed('PATCH', linkPath, plain)).data).toMatchObject(PLAIN)
    expect((await fetch(url + shown.logo_url)).status).toBe(404)
  })

  test('wrong fields are refused, and named', async () => {
    const { call, agentId } = await startShared()
    await everyRow(
      [
        [{ audience: 'everybody' }, 'audience'],
        [{ allowed_origins: ['example.com'] }, 'allowed_origins.0'],
        [{ allowed_origins: ['https://example.com/path'] }, 'allowed_origins.0'],
        [{ allowed_origins: ["https://a.b; script-src 'unsafe-inline'"] }, 'allowed_origins.0'],
        [{ queries_per_minute: 0 }, 'queries_per_minute'],
        [{ greeting: 'x'.repeat(2001) }, 'greeting'],
        [{ color: 'red' }, 'color'],
        [{ position: 'top' }, 'position'],
        [{ language: 'xx' }, 'language'],
        [{ starter_questions: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'starter_questions'],
        [{ starter_questions: ['x'.repeat(201)] }, 'starter_questions.0'],
        [{ logo: Buffer.from('<svg/>').toString('base64') }, 'logo'],
        [{ logo: Buffer.concat([LOGO, Buffer.alloc(200_000)]).toString('base64') }, 'logo'],
      ],
      async (fields, path) => {
        const { status, body } = await call('POST', `/agents/${agentId}/links`, fields)
        expect([status, body.details[0].path]).toEqual([400, path])
      },
    )
  })

  test('an agent gets no link for more people than may see it', async () => {
    const { newAgent, call } = await startTestChat()
    await everyRow(
      [
        ['private', 'public'],
        ['private', 'organization'],
        ['organization', 'public'],
      ],
      async (visibility, audience) => {
        const agent = await newAgent({ visibility })
        const { status, body } = await call('POST', `/agents/${agent}/links`, { audience })
        expect([status, body.details[0].path]).toEqual([400, 'audience'])
      },
    )
  })

  test('a key without manage_agents makes none, and one of another organization finds none', async () => {
    const { services, owner, call, agentId, linkPath } = await startShared()
    const key = await addKey({ services, owner }, { role: 'member' })
    expect((await call('POST', `/agents/${agentId}/links`, {}, { key })).status).toBe(403)
    const other = await services.access.createOrganization('Other')
    expect((await call('GET', linkPath, undefined, { key: other.apiKey })).body.error_code).toBe('AGENT_NOT_FOUND')
  })
})

describe('a visitor', () => {
  test('sees who the agent is, chats, and reads what was said', async () => {
    const { call, link, visitor, agentId } = await startShared({ greeting: 'Welcome' })
    const seen = {
      agent_id: agentId,
      name: 'Helper',
      description: 'Helps',
      greeting: 'Welcome',
      audience: 'public',
      ...PLAIN,
    }
    expect((await call('GET', `/shared/${link.token}`, undefined, { key: null })).body.data).toEqual(seen)
    const { send, path, chat } = await visitor()
    expect(chat.chat_type).toBe('standard')
    expect((await send('POST', `${path}/query`, { query: 'Hi' })).body.data.text).toBe('Hello')
    expect((await send('GET', `${path}/messages`)).body.data.messages[0]).toMatchObject({
      query: 'Hi',
      response: 'Hello',
    })
    expect((await send('GET', `/agents/${agentId}/chats`)).body.data.chats.map(({ id }: any) => id)).toEqual([chat.id])
  })

  test('streams', async () => {
    const { url, visitor } = await startShared()
    const { token, path } = await visitor()
    const reply = await fetch(`${url}/v1${path}/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'Hi', is_stream: true }),
    })
    const events = (await reply.text())
      .split('\n\n')
      .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    expect(shapeOf(events)).toBe('metadata response end_response')
  })

  test('has their own chats and no others, not even the workspace’s', async () => {
    const { visitor, newChat, agentId, call } = await startShared()
    const [first, second] = [await visitor(), await visitor()]
    const ofKey = await newChat({}, agentId)
    for (const path of [second.path, ofKey]) {
      expect((await first.send('GET', path)).body.error_code).toBe('CHAT_NOT_FOUND')
      expect((await first.send('POST', `${path}/query`, { query: 'Hi' })).body.error_code).toBe('CHAT_NOT_FOUND')
      expect((await first.send('GET', `${path}/messages`)).body.error_code).toBe('CHAT_NOT_FOUND')
    }
    expect((await first.send('GET', `/agents/${agentId}/chats`)).body.data.total).toBe(1)
    // The agent's owners see all chats.
    expect((await call('GET', `/agents/${agentId}/chats`)).body.data.total).toBe(3)
  })

  test('may do nothing else', async () => {
    const { visitor, agentId, owner, newAgent } = await startShared()
    const { send, path } = await visitor()
    const other = await newAgent({ visibility: 'public' })
    const refused: [string, string, object?][] = [
      ['GET', `/agents/${agentId}`],
      ['GET', '/agents'],
      ['GET', '/me'],
      ['PATCH', `/agents/${agentId}`, { name: 'Mine' }],
      ['GET', `/agents/${agentId}/links`],
      ['GET', '/knowledge-bases'],
      ['DELETE', path],
      ['GET', `/workspaces/${owner.workspaceId}/virtual-users`],
      ['POST', `${path}/async_query`, { query: 'Hi', webhook_url: 'https://example.com' }],
    ]
    for (const [method, at, body] of refused) expect([at, (await send(method, at, body)).status]).toEqual([at, 403])
    expect((await send('POST', `/agents/${other}/chats`, {})).status).toBe(404)
  })

  test('cannot be somebody else: a virtual_user_email is refused', async () => {
    const { visitor } = await startShared()
    const { send, path } = await visitor()
    const { status } = await send('POST', `${path}/query`, { query: 'Hi', virtual_user_email: 'boss@example.com' })
    expect(status).toBe(403)
  })

  test('answers questions, and allows no tool call', async () => {
    const script: Script = ({ body }) => {
      if (body.messages.some(({ role }: any) => role === 'tool')) return answer('Thanks')
      return answer(body.messages.at(-1).content === 'ask' ? ASK : WRITE)
    }
    const agent = { tools: ['ask_person', 'create_file'], tools_needing_approval: ['create_file'] }
    const { visitor } = await startShared({}, { script, agent })
    const { send, path } = await visitor()
    const review = async (query: string, decision: object) => {
      const { message_id } = (await send('POST', `${path}/query`, { query })).body.data
      return send('POST', `${path}/message/${message_id}/review`, decision)
    }
    expect((await review('ask', { decision: 'answer', note: 'Red' })).status).toBe(200)
    expect((await review('write', { decision: 'approve' })).status).toBe(403)
  })

  test('comes back and keeps their chats, as the same visitor of the same link', async () => {
    const { visitor, agentId, visit } = await startShared()
    const first = await visitor()
    const again = (await visit({ visitor_token: first.token })).body.data
    expect(again.visitor_id).toBe(first.id)
    for (const visitor_token of ['dcv_x.y.z', `${first.token}x`, first.token.replace(first.id, 'f'.repeat(24))]) {
      expect((await visit({ visitor_token })).body.data.visitor_id).not.toBe(first.id)
    }
    expect((await first.send('GET', `/agents/${agentId}/chats`)).body.data.total).toBe(1)
  })

  test('whose token has expired is told so, and gets a new one with it', async () => {
    const clock = manualClock(new Date().toISOString())
    const { visitor, visit } = await startShared({}, { clock })
    const { token, id, send, path } = await visitor()
    clock.pass(DAY_MS + 1)
    const { status, body } = await send('GET', path)
    expect([status, body.message]).toEqual([401, expect.stringContaining('expired')])
    expect((await visit({ visitor_token: token })).body.data.visitor_id).toBe(id)
    clock.pass(40 * DAY_MS)
    expect((await visit({ visitor_token: token })).body.data.visitor_id).not.toBe(id)
  })

  test('malformed tokens open nothing', async () => {
    const { call } = await startShared()
    await everyRow(['dcv_', 'dcv_a.b.c.d', `dcv_${'f'.repeat(24)}.${'f'.repeat(24)}.zzzzzzzz.AAAA`], async (token) =>
      expect((await call('GET', '/agents', undefined, { key: token })).status).toBe(401),
    )
  })
})

test('a link that is deleted, or whose agent is private again, is closed within seconds', async () => {
  const clock = manualClock(new Date().toISOString())
  const { visitor, visit, succeed, call, agentId, link, linkPath } = await startShared({}, { clock })
  const { send, path } = await visitor()
  await succeed('PATCH', `/agents/${agentId}`, { visibility: 'private' })
  clock.pass(5_000)
  expect((await send('GET', path)).status).toBe(404)
  expect((await visit()).body.error_code).toBe('AGENT_LINK_NOT_FOUND')
  expect((await succeed('GET', linkPath)).data.is_working).toBe(false)
  await succeed('PATCH', `/agents/${agentId}`, { visibility: 'public' })
  clock.pass(5_000)
  expect((await send('GET', path)).status).toBe(200)
  await succeed('DELETE', linkPath)
  clock.pass(5_000)
  expect((await send('GET', path)).status).toBe(401)
  expect((await call('GET', `/shared/${link.token}`, undefined, { key: null })).status).toBe(404)
})

test('a link for the organization lets in who has a key of it', async () => {
  const { visit, services, owner } = await startShared(
    { audience: 'organization' },
    { agent: { visibility: 'organization' } },
  )
  expect((await visit()).status).toBe(403)
  const other = await services.access.createOrganization('Other')
  expect((await visit({}, other.apiKey)).status).toBe(403)
  expect((await visit({}, owner.apiKey)).status).toBe(200)
})

describe('a visit through a link for the organization', () => {
  const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }
  const ORGANIZATION = [{ audience: 'organization' }, { agent: { visibility: 'organization' } }] as const

  async function startInside() {
    const clock = manualClock(new Date().toISOString())
    const app = await startShared(ORGANIZATION[0], { ...ORGANIZATION[1], clock })
    const { owner, succeed, call, agentId, link } = app
    const keys = `/workspaces/${owner.workspaceId}/api-keys`
    const newKey = async (fields: object = {}): Promise<{ id: string; key: string }> =>
      (await succeed('POST', keys, { name: 'Member', role: 'member', ...fields })).data
    const revoke = (id: string) => succeed('DELETE', `${keys}/${id}`)
    const signIn = async (key: string) => {
      const reply = await call('POST', '/session', { api_key: key }, { key: null, headers: OWN_PAGE })
      return { ...OWN_PAGE, cookie: reply.headers.get('set-cookie')!.split(';')[0]! }
    }
    const visitWith = (headers: Record<string, string>) =>
      call('POST', `/shared/${link.token}/visits`, {}, { key: null, headers })
    /** Asks the agent with the token of a visit. @returns the status of the answer */
    async function ask(token: string): Promise<number> {
      const headers = { authorization: `Bearer ${token}` }
      const begun = await call('POST', `/agents/${agentId}/chats`, {}, { key: null, headers })
      if (begun.status !== 200) return begun.status
      const path = `/agents/${agentId}/chats/${begun.body.data.chat.id}/query`
      return (await call('POST', path, { query: 'Hi' }, { key: null, headers })).status
    }
    return { ...app, clock, newKey, revoke, signIn, visitWith, ask }
  }

  test('ends within seconds when the key that opened it is revoked, or has expired', async () => {
    const { clock, newKey, revoke, visit, ask } = await startInside()
    const revoked = await newKey()
    const expiring = await newKey({ expires_at: new Date(clock().getTime() + 60_000).toISOString() })
    const kept = await newKey()
    const tokens = []
    for (const { key } of [revoked, expiring, kept]) tokens.push((await visit({}, key)).body.data.visitor_token)
    for (const token of tokens) expect(await ask(token)).toBe(200)
    await revoke(revoked.id)
    clock.pass(3_000)
    expect([await ask(tokens[0]), await ask(tokens[1]), await ask(tokens[2])]).toEqual([401, 200, 200])
    clock.pass(60_000)
    expect([await ask(tokens[1]), await ask(tokens[2])]).toEqual([401, 200])
  })

  test('ends within seconds when the session that opened it does, by signing out or by its key', async () => {
    const { clock, newKey, revoke, signIn, visitWith, call, ask } = await startInside()
    const { id, key } = await newKey()
    const [first, second] = [await signIn(key), await signIn(key)]
    const tokenOf = async (session: Record<string, string>) => (await visitWith(session)).body.data.visitor_token
    const [one, two] = [await tokenOf(first), await tokenOf(second)]
    expect([await ask(one), await ask(two)]).toEqual([200, 200])
    await call('DELETE', '/session', undefined, { key: null, headers: first })
    clock.pass(3_000)
    expect([await ask(one), await ask(two)]).toEqual([401, 200])
    await revoke(id)
    clock.pass(3_000)
    expect(await ask(two)).toBe(401)
  })

  test('keeps the session alive that it is used with, and ends with one that was not used for long', async () => {
    const { clock, newKey, signIn, visitWith, ask } = await startInside()
    const { key } = await newKey()
    const { visitor_token } = (await visitWith(await signIn(key))).body.data
    for (let hours = 0; hours < 20; hours += 5) {
      expect(await ask(visitor_token)).toBe(200)
      clock.pass(5 * 3_600_000)
    }
    const renewed = await visitWith(await signIn(key))
    clock.pass(12 * 3_600_000 + 1)
    expect(await ask(renewed.body.data.visitor_token)).toBe(401)
  })

  test('is not for a key that is narrowed to another agent, some folders or other operations', async () => {
    const { newAgent, newKey, visit, signIn, visitWith } = await startInside()
    await everyRow(
      [
        ['another agent', (other: string) => ({ agent_ids: [other] })],
        ['some folders', () => ({ knowledge_base_ids: [] })],
        ['other operations', () => ({ operations: ['me.get', 'chats.create'] })],
      ],
      async (_what, scopesOf) => {
        const { key } = await newKey({ scopes: scopesOf(await newAgent({})) })
        expect(await visit({}, key)).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
        expect((await visitWith(await signIn(key))).status).toBe(403)
      },
    )
  })

  test('may do no more than the key that opened it', async () => {
    const { agentId, newKey, visit, ask, call } = await startInside()
    const { key } = await newKey({ scopes: { agent_ids: [agentId], operations: ['chats.*'] } })
    const { visitor_token } = (await visit({}, key)).body.data
    expect(await ask(visitor_token)).toBe(200)
    const form = new FormData()
    form.append('file', new Blob(['x']), 'a.txt')
    expect((await call('POST', '/uploaded-files', form, { key: visitor_token })).status).toBe(403)
  })

  test('has its scopes checked again, as it goes on', async () => {
    const { clock, newKey, newAgent, visit, ask, services } = await startInside()
    const { id, key } = await newKey()
    const { visitor_token } = (await visit({}, key)).body.data
    expect(await ask(visitor_token)).toBe(200)
    const scopes = JSON.stringify({ agent_ids: [await newAgent({})] })
    await services.db.updateTable('api_key').set({ scopes }).where('id', '=', id).execute()
    clock.pass(3_000)
    expect(await ask(visitor_token)).toBe(403)
  })

  test('is not for who came while the link was public', async () => {
    const { clock, linkPath, succeed, agentId, visit, ask, owner } = await startInside()
    await succeed('PATCH', `/agents/${agentId}`, { visibility: 'public' })
    await succeed('PATCH', linkPath, { audience: 'public' })
    const { visitor_token } = (await visit()).body.data
    expect(await ask(visitor_token)).toBe(200)
    await succeed('PATCH', linkPath, { audience: 'organization' })
    clock.pass(3_000)
    expect(await ask(visitor_token)).toBe(401)
    const again = await visit({ visitor_token }, owner.apiKey)
    expect(await ask(again.body.data.visitor_token)).toBe(200)
  })
})

test('a link has its own limits: for each visitor, and for all of them', async () => {
  const { visitor } = await startShared({ queries_per_visitor_per_minute: 2, queries_per_minute: 3 })
  const [first, second] = [await visitor(), await visitor()]
  const ask = ({ send, path }: typeof first) => send('POST', `${path}/query`, { query: 'Hi' })
  expect([(await ask(first)).status, (await ask(first)).status]).toEqual([200, 200])
  const third = await ask(first)
  expect([third.status, third.body.error_code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(second)).status).toBe(200)
  const last = await ask(second)
  expect([last.status, last.body.message]).toEqual([429, expect.stringContaining('This link')])
})

test('who tries many links is held up', async () => {
  const { call } = await startShared()
  const statuses = await Promise.all(
    Array.from(
      { length: 40 },
      async (_, i) => (await call('GET', `/shared/dcl_${i}`, undefined, { key: null })).status,
    ),
  )
  expect(new Set(statuses)).toEqual(new Set([404, 429]))
})

test('a visitor cannot go round the limits, or be somebody else, by way of MCP', async () => {
  const { visitor, url, owner } = await startShared()
  const { token } = await visitor()
  const list = (key: string) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  expect((await list(owner.apiKey)).status).toBe(200)
  expect((await list(token)).status).toBe(403)
})

test('each workspace lists the links that it made, not those of others that use the agent', async () => {
  const { agentId, link, call, succeed, services, owner } = await startShared()
  const { workspaceId } = await services.access.createWorkspace(owner.organizationId, 'Second')
  const key = await addKey({ services, owner: { ...owner, workspaceId } }, { role: 'admin' })
  const theirs = (await call('POST', `/agents/${agentId}/links`, {}, { key })).body.data
  const listed = (await call('GET', `/agents/${agentId}/links`, undefined, { key })).body.data
  expect(listed).toMatchObject({ links: [{ id: theirs.id }], total: 1 })
  expect((await succeed('GET', `/agents/${agentId}/links`)).data).toMatchObject({ links: [{ id: link.id }], total: 1 })
})
