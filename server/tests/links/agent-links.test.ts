import { describe, expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { shapeOf } from '../support/chats/events.ts'
import { startShared } from '../support/chats/shared-agent.ts'
import { manualClock } from '../support/clock.ts'
import { everyRow } from '../support/every-row.ts'
import { answer, type Script } from '../support/models/model-server.ts'

const DAY_MS = 86_400_000
/** Look of a link that nobody chose. */
const PLAIN = { color: null, position: 'right', starter_questions: [], language: null, logo_url: null }
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const ASK = { toolCall: { name: 'ask_person', arguments: { question: 'Which colour?' } } }
const WRITE = { toolCall: { name: 'create_file', arguments: { name: 'a.md', content: 'x' } } }

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
    // The agent's owners see all chats; a key's own are those that came over keys.
    expect((await call('GET', `/agents/${agentId}/chats`)).body.data.total).toBe(3)
    await first.send('POST', `${first.path}/query`, { query: 'Do I see lighthouses?' })
    await call('POST', `${ofKey}/query`, { query: 'Where are lighthouses?' })
    for (const [path, list] of [
      [`/agents/${agentId}/chats?scope=own`, 'chats'],
      ['/chats', 'chats'],
      ['/chats/search?query=lighthouses', 'messages'],
    ] as const) {
      const found = (await call('GET', path)).body.data[list].map((one: any) => one.chat_id ?? one.id)
      expect(found).toContain(ofKey.split('/').at(-1))
      for (const { path } of [first, second]) expect(found).not.toContain(path.split('/').at(-1))
    }
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
