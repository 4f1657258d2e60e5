import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  auth,
  connectApp,
  decide,
  newProvider,
  newVerifier,
  post,
  REDIRECT,
  register,
} from '../support/access/oauth-client.ts'
import { mcp, PING, queryOf, refreshOf } from '../support/access/oauth-requests.ts'
import { join, PASSWORD } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { manualClock } from '../support/clock.ts'
import { everyRow } from '../support/every-row.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

describe('a client of the MCP SDK', () => {
  test('connects by the address alone, calls tools as the person, renews its tokens and gives them back', async () => {
    const clock = manualClock()
    const app = await startTestChat({ script: () => answer('Forty-two'), clock })
    const person = await join(app, { email: 'ada@example.com', role: 'admin' })
    const { provider, state } = newProvider()
    const connect = async () => {
      const client = new Client({ name: 'Assistant', version: '1' })
      onTestFinished(() => client.close())
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', app.url), { authProvider: provider })
      return { client, transport, connected: client.connect(transport as any) }
    }
    const first = await connect()
    await expect(first.connected).rejects.toThrow('Unauthorized')
    expect(state.client).toMatchObject({ client_name: 'Assistant', token_endpoint_auth_method: 'none' })
    expect(Object.fromEntries(state.url.searchParams)).toMatchObject({
      resource: `${app.url}/mcp`,
      code_challenge_method: 'S256',
      scope: 'agents documents',
    })

    const query = state.url.search.slice(1)
    const shown = await person.call('POST', '/account/apps/actions/check', { query })
    expect(shown.body.data).toEqual({
      client: { id: state.client.client_id, name: 'Assistant', uri: null, is_own: false },
      destination: { kind: 'this_device', name: '127.0.0.1:4180' },
      scopes: ['agents', 'documents'],
    })
    const back = await decide(person, query)
    expect(back.href.startsWith(`${REDIRECT}?code=dco_`)).toBe(true)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'of the client', iss: app.url })
    await first.transport.finishAuth(back.searchParams.get('code')!)

    const { client, connected } = await connect()
    await connected
    expect((await client.listTools()).tools).toMatchObject([{ name: 'guide' }])
    const told = await client.callTool({ name: 'guide', arguments: { query: 'What?' } })
    expect(told.structuredContent).toMatchObject({ text: 'Forty-two', status: 'completed' })

    const { apps } = (await person.call('GET', '/account/apps')).body.data
    expect(apps).toMatchObject([
      { name: 'Assistant', client_id: state.client.client_id, scopes: ['agents', 'documents'] },
    ])
    const before = state.tokens
    clock.pass(3_601_000)
    expect((await client.listTools()).tools).toHaveLength(1)
    expect(state.tokens.access_token).not.toBe(before.access_token)
    expect((await mcp(app, before.access_token)).status).toBe(401)
    const log = (await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log`)).body.data
    expect(JSON.stringify(log)).toContain('app.connected')

    const token = state.tokens.refresh_token
    expect(await post(app, 'revoke', { token, client_id: state.client.client_id })).toMatchObject({ status: 200 })
    expect((await mcp(app, state.tokens.access_token)).status).toBe(401)
    expect((await person.call('GET', '/account/apps')).body.data.apps).toEqual([])
    expect(await refreshOf(app, { state })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('may do what the person chose, and no more than they may', async () => {
    const app = await startTestApp()
    const made = async (path: string, fields: object) => (await app.call('POST', path, fields)).body.data
    const [named, other] = [await made('/agents', { name: 'Named' }), await made('/agents', { name: 'Other' })]
    const person = await join(app, { email: 'ada@example.com', role: 'member' })
    const tools = async (token: string) => {
      const body = (await (await mcp(app, token)).json()) as any
      return body.result.tools.map(({ name }: any) => name)
    }
    const all = await connectApp(app, person)
    expect(await tools(all.state.tokens.access_token)).toEqual(['named', 'other'])
    const one = await connectApp(app, person, { agent_ids: [named.id], scopes: ['agents'] })
    expect(one.state.tokens.scope).toBe('agents')
    expect(await tools(one.state.tokens.access_token)).toEqual(['named'])
    const none = await connectApp(app, person, { scopes: ['documents'] })
    expect(await tools(none.state.tokens.access_token)).toEqual([])

    await everyRow(
      [
        ['agent_ids', { agent_ids: [] }],
        ['scopes', { scopes: ['api'] }],
        ['scopes', { scopes: [] }],
        ['decision', { decision: 'perhaps' }],
      ],
      async (field: string, decision: object) => {
        const query = all.state.url.search.slice(1)
        const wrong = { query, decision: 'allow', ...decision }
        const { status, body } = await person.call('POST', '/account/apps/actions/decide', wrong)
        expect([status, body.details[0].path]).toEqual([400, expect.stringMatching(`^${field}`)])
      },
    )
    const unknown = { query: all.state.url.search.slice(1), decision: 'allow', agent_ids: [other.id, 'f'.repeat(24)] }
    expect((await person.call('POST', '/account/apps/actions/decide', unknown)).status).toBe(404)
    // A token for /mcp alone.
    for (const path of ['/me', '/agents', '/account/apps'])
      expect((await app.call('GET', path, undefined, { key: all.state.tokens.access_token })).status).toBe(401)
  })

  test('that describes itself at its own address is refused where that is not a public one', async () => {
    const app = await startTestApp()
    const person = await join(app, { email: 'ada@example.com' })
    const { challenge } = newVerifier()
    await everyRow(['https://127.0.0.1/client', 'https://app.invalid/client', 'https://app.invalid/'], async (id) => {
      const query = queryOf({ client_id: id, code_challenge: challenge })
      const { status, body } = await person.call('POST', '/account/apps/actions/check', { query })
      expect([status, body.error_code]).toEqual([400, 'OAUTH_REQUEST_INVALID'])
    })
  })
})

test('a grant ends with what it stands on, and codes and tokens are stored as hashes', async () => {
  const app = await startTestApp()
  const owner = await join(app, { email: 'owner@example.com' })
  const ends: Record<string, (person: Awaited<ReturnType<typeof join>>) => Promise<{ status: number }>> = {
    'disconnecting it': async (person) => {
      const { apps } = (await person.call('GET', '/account/apps')).body.data
      expect((await owner.call('DELETE', `/account/apps/${apps[0].id}`)).status).toBe(404)
      return person.call('DELETE', `/account/apps/${apps[0].id}`)
    },
    'signing out everywhere': (person) => person.call('DELETE', '/account/sessions'),
    'another password': (person) =>
      person.call('PUT', '/account/password', { password: PASSWORD, new_password: `${PASSWORD} twice` }),
    'removal from the workspace': ({ memberId }) => owner.call('DELETE', `/members/${memberId}`),
    'deletion of the account': (person) => person.call('POST', '/account/deletion', { password: PASSWORD }),
  }
  let number = 0
  await everyRow(Object.entries(ends), async (_name: string, end: (typeof ends)[string]) => {
    const person = await join(app, { email: `person-${++number}@example.com`, role: 'member' })
    const connected = await connectApp(app, person)
    const { access_token } = connected.state.tokens
    expect((await mcp(app, access_token)).status).toBe(200)
    expect((await end(person)).status).toBe(200)
    expect((await mcp(app, access_token)).status).toBe(401)
    expect((await refreshOf(app, connected)).body.error).toBe('invalid_grant')
  })

  const lowered = await join(app, { email: 'lowered@example.com', role: 'admin' })
  const { state, back } = await connectApp(app, lowered)
  const keys = await app.services.db.selectFrom('api_key').selectAll().where('kind', '=', 'oauth').execute()
  expect(keys.at(-1)).toMatchObject({ role: 'admin', member_id: lowered.memberId })
  await owner.call('PATCH', `/members/${lowered.memberId}`, { role: 'member' })
  const key = await app.services.db.selectFrom('api_key').select('role').where('id', '=', keys.at(-1)!.id).execute()
  expect(key).toEqual([{ role: 'member' }])

  const stored = await Promise.all(
    (['oauth_code', 'oauth_token', 'oauth_grant', 'api_key', 'audit_entry'] as const).map((table) =>
      app.services.db.selectFrom(table).selectAll().execute(),
    ),
  )
  const text = JSON.stringify(stored)
  for (const secret of [state.tokens.access_token, state.tokens.refresh_token, back.searchParams.get('code')!])
    expect(text).not.toContain(secret.slice(4))
})

test('a program without a browser waits for its code, no oftener than it may, and for so long', async () => {
  const clock = manualClock()
  const app = await startTestApp({}, { clock })
  const person = await join(app, { email: 'ada@example.com', role: 'member' })
  const client_id = 'docent-cli'
  const begin = async () => (await post(app, 'device_authorization', { client_id })).body
  const poll = async (device_code: string, id = client_id) =>
    (await post(app, 'token', { grant_type: DEVICE, client_id: id, device_code })).body
  const decideOn = (user_code: string, decision: string) =>
    person.call('POST', '/account/devices/actions/decide', { user_code, decision })

  const { body: other } = await register(app, { redirect_uris: [REDIRECT] })
  const foreign = await post(app, 'device_authorization', { client_id: other.client_id })
  expect(foreign.body.error).toBe('unauthorized_client')
  const begun = await begin()
  expect(begun).toMatchObject({
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri: `${app.url}/oauth/device`,
    expires_in: 600,
    interval: 5,
  })
  expect(await poll(begun.device_code)).toMatchObject({ error: 'authorization_pending' })
  clock.pass(4_000)
  expect(await poll(begun.device_code)).toMatchObject({ error: 'slow_down' })
  clock.pass(6_000)
  expect(await poll(begun.device_code)).toMatchObject({ error: 'slow_down' })
  clock.pass(16_000)
  expect(await poll(begun.device_code)).toMatchObject({ error: 'authorization_pending' })
  expect(await poll('dco_nothing')).toMatchObject({ error: 'invalid_grant' })
  expect(await poll(begun.device_code, other.client_id)).toMatchObject({ error: 'invalid_grant' })
  expect((await decideOn(begun.user_code, 'allow')).status).toBe(200)
  const tokens = await poll(begun.device_code)
  expect(tokens).toMatchObject({ access_token: expect.stringMatching(/^dca_/), scope: 'api' })
  // All that the person may do below /v1, but nothing of their account, and not /mcp.
  const as = { key: tokens.access_token }
  expect((await app.call('GET', '/me', undefined, as)).body.data.member.email).toBe('ada@example.com')
  expect((await app.call('GET', '/account', undefined, as)).status).toBe(403)
  expect((await mcp(app, tokens.access_token)).status).toBe(401)
  // The code again: what came of it ends.
  expect(await poll(begun.device_code)).toMatchObject({ error: 'invalid_grant' })
  expect((await app.call('GET', '/me', undefined, as)).status).toBe(401)

  const refused = await begin()
  expect((await decideOn(refused.user_code, 'refuse')).status).toBe(200)
  expect(await poll(refused.device_code)).toMatchObject({ error: 'access_denied' })
  const late = await begin()
  clock.pass(600_001)
  expect(await poll(late.device_code)).toMatchObject({ error: 'expired_token' })
  expect((await decideOn(late.user_code, 'allow')).status).toBe(400)
  // Guesses are counted before they are looked up.
  const guesses: number[] = []
  for (let guess = 0; guess < 22; guess++) guesses.push((await decideOn('BBBB-BBBB', 'allow')).status)
  expect([guesses[0], guesses.at(-1)]).toEqual([400, 429])
  const stored = JSON.stringify(await app.services.db.selectFrom('oauth_device').selectAll().execute())
  expect(stored).not.toContain(late.user_code.replace('-', ''))
})

test('the metadata lead from a refusal to every address, behind a proxy to the public one', async () => {
  const app = await startTestApp({ DOCENT_PUBLIC_URL: 'https://docent.example/' })
  const refused = await mcp(app, undefined)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe(
    'Bearer realm="Docent", resource_metadata="https://docent.example/.well-known/oauth-protected-resource/mcp", scope="agents documents"',
  )
  expect((await mcp(app, 'dca_nothing')).headers.get('www-authenticate')).toContain('error="invalid_token"')
  const get = async (path: string) => (await fetch(`${app.url}/.well-known/${path}`)).json()
  expect(await get('oauth-protected-resource/mcp')).toMatchObject({
    resource: 'https://docent.example/mcp',
    authorization_servers: ['https://docent.example'],
  })
  expect(await get('oauth-protected-resource/v1')).toMatchObject({ resource: 'https://docent.example/v1' })
  expect(await get('oauth-authorization-server')).toMatchObject({
    issuer: 'https://docent.example',
    token_endpoint: 'https://docent.example/oauth/token',
    code_challenge_methods_supported: ['S256'],
  })
  const { provider } = newProvider()
  const plain = await startTestApp()
  // A client that knows the server by another name finds it under that one.
  const serverUrl = `${plain.url.replace('127.0.0.1', 'localhost')}/mcp`
  expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
})

test('clients that nobody connects are swept, and an address may register thirty at once', async () => {
  const clock = manualClock()
  const app = await startTestApp({}, { clock })
  const person = await join(app, { email: 'ada@example.com' })
  const used = await connectApp(app, person)
  const replies = await Promise.all(Array.from({ length: 31 }, () => register(app, { redirect_uris: [REDIRECT] })))
  expect(replies.filter(({ status }) => status === 429)).toMatchObject([{ body: { error: 'slow_down' } }, {}])
  clock.pass(86_400_001)
  const sweeps = app.services.works.flatMap((work) => work.sweeps ?? [])
  for (const { sweep } of sweeps) await sweep()
  const left = await app.services.db.selectFrom('oauth_client').select('id').execute()
  expect(left).toEqual([{ id: used.state.client.client_id }])
})

test('pages of every origin log in and call with a token of their own; keys and sessions stay with known pages', async () => {
  const app = await startTestApp()
  const person = await join(app, { email: 'ada@example.com' })
  const { tokens } = (await connectApp(app, person)).state
  const origin = 'https://elsewhere.example'
  const body = JSON.stringify(PING)
  const from = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(`${app.url}${path}`, {
      method,
      headers: { origin, ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
      ...(method === 'POST' && { body }),
    })
  const readable = ({ headers }: Response) => headers.get('access-control-allow-origin') === '*'

  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,mcp-protocol-version,mcp-method',
  }
  const wellKnown = ['oauth-authorization-server', 'oauth-protected-resource', 'oauth-protected-resource/mcp']
  const gets = wellKnown.map((name) => `/.well-known/${name}`)
  const methodsOf = (path: string) => (path === '/mcp' ? 'POST, GET, DELETE' : gets.includes(path) ? 'GET' : 'POST')
  await everyRow(['/mcp', '/oauth/register', '/oauth/token', '/oauth/revoke', ...gets], async (path: string) => {
    const { status, headers } = await from(path, 'OPTIONS', asked)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(headers.get('access-control-allow-headers')).toBe('authorization, *')
    expect(headers.get('access-control-allow-methods')).toBe(methodsOf(path))
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })
  for (const path of gets) expect(readable(await from(path))).toBe(true)
  const registered = await from('/oauth/register', 'POST')
  expect([registered.status, readable(registered)]).toEqual([400, true])

  const refused = await from('/mcp', 'POST')
  expect([refused.status, readable(refused)]).toEqual([401, true])
  expect(refused.headers.get('access-control-expose-headers')).toContain('www-authenticate')
  const listed = await from('/mcp', 'POST', { authorization: `Bearer ${tokens.access_token}` })
  expect([listed.status, readable(listed)]).toEqual([200, true])
  const streamed = await from('/mcp', 'POST', {
    authorization: `Bearer ${tokens.access_token}`,
    accept: 'application/json, text/event-stream',
  })
  expect([streamed.status, readable(streamed)]).toEqual([200, true])
  await streamed.text()

  for (const method of ['GET', 'DELETE']) {
    const none = await from('/mcp', method, { authorization: `Bearer ${tokens.access_token}` })
    expect([none.status, readable(none), none.headers.get('allow')]).toEqual([405, true, 'OPTIONS, POST'])
    expect((await from('/mcp', method)).headers.get('www-authenticate')).toContain('resource_metadata=')
    expect((await from('/mcp', method, { 'x-api-key': app.owner.apiKey })).status).toBe(403)
  }

  const status = async (headers: Record<string, string>) => (await from('/mcp', 'POST', headers)).status
  expect(await status({ 'x-api-key': app.owner.apiKey })).toBe(403)
  expect(await status({ authorization: `Bearer ${app.owner.apiKey}` })).toBe(403)
  expect(await status({ authorization: 'Bearer dca_nothing' })).toBe(401)
  // A key beside the token is what counts, and is refused.
  const both = { 'x-api-key': app.owner.apiKey, authorization: `Bearer ${tokens.access_token}` }
  expect(await status(both)).toBe(403)
  const signedIn = { cookie: person.state.cookie, 'x-docent-session': '1' }
  expect([401, 403]).toContain(await status(signedIn))
  // The API stays closed to them.
  expect(readable(await from('/v1/me', 'GET', { 'x-api-key': app.owner.apiKey }))).toBe(false)
})
