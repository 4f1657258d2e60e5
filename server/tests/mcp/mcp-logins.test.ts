import { expect, test } from 'vitest'
import { logIn } from '../support/access/openid-provider.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { everyRow } from '../support/every-row.ts'
import { listenFor } from '../support/mcp/mcp-servers.ts'
import { startOAuthMcpServer } from '../support/mcp/oauth-mcp-server.ts'
import { answer, inOrder } from '../support/models/model-server.ts'

async function start({ calls = 0, allow = true } = {}) {
  const mcp = await startOAuthMcpServer()
  const step = answer({ toolCall: { name: 'desk__add', arguments: { a: 1, b: 2 } } })
  const chat = await startTestChat({
    script: inOrder(...Array.from({ length: calls }, () => [step, answer('Done')]).flat()),
    settings: { LOG_LEVEL: 'silent', ...(allow && { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }) },
  })
  const agentId = await chat.newAgent(allow ? { mcp_servers: [{ name: 'desk', url: mcp.url }] } : {})
  const path = `/agents/${agentId}/mcp-servers/actions`
  const begin = async () => (await chat.succeed('POST', `${path}/connect`, { url: mcp.url })).data.authorization_url
  const { db } = chat.services
  return {
    ...chat,
    mcp,
    agentId,
    path,
    begin,
    check: async () => (await chat.succeed('POST', `${path}/check`, { name: 'desk' })).data,
    /** Sends a person through the pages of the authorization server. @returns the query that they come back with */
    async back(person = 'ada') {
      const url = await begin()
      const redirectUri = new URL(url).searchParams.get('redirect_uri')!
      const query = new URLSearchParams(await logIn(url, person, redirectUri))
      expect(redirectUri).toMatch(new RegExp(`/agents/${agentId}\\?part=tools$`))
      query.delete('part')
      return Object.fromEntries(query) as { state: string; code: string; iss: string }
    },
    stored: () => db.selectFrom('mcp_connection').selectAll().where('agent_id', '=', agentId).execute(),
    store: (fields: object) => db.updateTable('mcp_connection').set(fields).where('agent_id', '=', agentId).execute(),
    async asks() {
      await (await chat.stream('Go', {}, await chat.newChat({}, agentId))).rest()
      return chat.model.requests
        .at(-1)!
        .body.messages.filter(({ role }: any) => role === 'tool')
        .map((one: any) => one.content)
    },
  }
}

const PAST = '2020-01-01T00:00:00.000Z'

test('an agent is connected, calls with a token that is renewed and kept secret, and is disconnected', async () => {
  const { mcp, check, back, path, succeed, stored, store, asks, services } = await start({ calls: 3 })
  expect(await check()).toMatchObject({ is_reachable: false, wants_login: true, connection: null })
  const query = await back()
  const { data } = await succeed('POST', `${path}/finish-connect`, query)
  expect(data).toEqual({
    url: mcp.url,
    connection: { connected_by: expect.any(String), connected_at: expect.any(String), is_lost: false },
  })
  // Resource indicator, PKCE and no secret of a client.
  const [exchange] = mcp.tokenRequests
  expect(exchange!.get('resource')).toBe(mcp.url)
  expect(exchange!.get('code_verifier')).toMatch(/^.{43,128}$/)
  expect(await check()).toMatchObject({ is_reachable: true, wants_login: false, connection: data.connection })
  expect(await asks()).toEqual([expect.stringContaining('3')])

  const [first] = mcp.state.tokens
  const all = JSON.stringify([await stored(), await services.db.selectFrom('audit_entry').selectAll().execute()])
  expect(all).not.toContain(first)
  // An access token that the server no longer takes is renewed, and the call is made again.
  await mcp.revoke(first!)
  expect(await asks()).toEqual([expect.stringContaining('3')])
  const second = mcp.state.tokens.at(-1)!
  expect(second).not.toBe(first)
  expect(mcp.tokenRequests.at(-1)!.get('grant_type')).toBe('refresh_token')
  // An expired token is renewed before it is used, once for all that ask at the same time: the refresh token rotates.
  await store({ expires_at: PAST })
  const before = mcp.tokenRequests.length
  const looks = await Promise.all([check(), check(), check(), check()])
  expect(looks.map(({ is_reachable }) => is_reachable)).toEqual([true, true, true, true])
  expect(mcp.tokenRequests.length).toBe(before + 1)
  // A process that died while it renewed holds up nobody for longer than its lease.
  await store({ expires_at: PAST, renewing_until: new Date(Date.now() + 1_000).toISOString() })
  expect(await check()).toMatchObject({ is_reachable: true })

  const last = mcp.state.tokens.at(-1)!
  await succeed('POST', `${path}/disconnect`, { url: mcp.url })
  expect(await stored()).toEqual([])
  expect(await check()).toMatchObject({ is_reachable: false, wants_login: true, connection: null })
  const told = await fetch(mcp.url, { method: 'POST', headers: { authorization: `Bearer ${last}` } })
  expect(told.status).toBe(401)
})

test('a grant that was revoked is reported as lost, the agent answers without it, and a new login mends it', async () => {
  const { mcp, check, back, path, succeed, asks, agentId, stored } = await start({ calls: 1 })
  await succeed('POST', `${path}/finish-connect`, await back())
  await check()
  await mcp.revoke(mcp.state.tokens.at(-1)!, { isWhole: true })
  expect(await check()).toMatchObject({ is_reachable: false, wants_login: true, connection: { is_lost: true } })
  const asked = mcp.tokenRequests.length
  expect(await asks()).toEqual([expect.stringMatching(/no tool|not.*tool|unknown/i)])
  // Nobody asks for a token again until a person has logged in.
  expect(mcp.tokenRequests.length).toBe(asked)
  await succeed('POST', `${path}/finish-connect`, await back())
  expect(await check()).toMatchObject({ is_reachable: true, connection: { is_lost: false } })
  await succeed('DELETE', `/agents/${agentId}`)
  expect(await stored()).toEqual([])
})

test('a login is finished once, by who began it, with the server that was asked', async () => {
  const { mcp, back, begin, path, call, succeed, owner, stored, services } = await start()
  const made = await succeed('POST', `/workspaces/${owner.workspaceId}/api-keys`, { name: 'other', role: 'owner' })
  const finish = (body: object) => call('POST', `${path}/finish-connect`, body)
  const query = await back()
  expect(await call('POST', `${path}/finish-connect`, query, { key: made.data.key })).toMatchObject({ status: 409 })
  expect(await finish({ ...query, state: 'of-nobody' })).toMatchObject({ status: 409 })
  expect(await finish({ ...query, iss: 'https://evil.example' })).toMatchObject({
    status: 409,
    body: { error_code: 'MCP_LOGIN_FAILED', message: expect.stringContaining('another authorization server') },
  })
  // The code was not sent anywhere, and the login is over.
  expect(mcp.tokenRequests).toEqual([])
  expect(await finish(query)).toMatchObject({ status: 409, body: { message: expect.stringContaining('over') } })
  const { iss: _, ...without } = await back()
  expect(await finish(without)).toMatchObject({ status: 409 })
  expect(await finish({ ...(await back()), code: 'made-up' })).toMatchObject({ status: 409 })
  const denied = new URL(await begin()).searchParams.get('state')
  expect(await finish({ state: denied, error: 'access_denied' })).toMatchObject({
    status: 409,
    body: { message: 'The login was refused' },
  })
  const late = await back()
  await services.db
    .updateTable('mcp_login')
    .set({ expires_at: PAST })
    .where('organization_id', '=', owner.organizationId)
    .execute()
  expect(await finish(late)).toMatchObject({ status: 409 })
  expect(await stored()).toEqual([])
})

test('an authorization server that cannot be used is refused in plain words', async () => {
  const { mcp, path, call } = await start()
  const server = { metadata: {} as Record<string, unknown>, registration: '{}' }
  const issuer = await listenFor((request, response) => {
    const isMetadata = request.url!.startsWith('/.well-known/oauth-authorization-server')
    const body = isMetadata ? JSON.stringify(server.metadata) : server.registration
    response.writeHead(isMetadata ? 200 : 400, { 'content-type': 'application/json' }).end(body)
  })
  mcp.state.metadata = { authorization_servers: [issuer] }
  const whole = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  }
  const { registration_endpoint: _, ...closed } = whole
  const { code_challenge_methods_supported: __, ...silent } = whole
  const refusal = JSON.stringify({ error: 'invalid_redirect_uri', error_description: 'this address is not allowed' })
  await everyRow(
    [
      [closed, '{}', /does not let programs register: get a token there/],
      [silent, '{}', /does not say that it checks PKCE/],
      [{ ...silent, code_challenge_methods_supported: ['plain'] }, '{}', /does not say that it checks PKCE/],
      [
        { ...whole, authorization_endpoint: 'javascript:alert(1)' },
        '{}',
        /^The login failed: the authorization server answers .* authorization_endpoint: URL cannot use javascript/,
      ],
      [whole, refusal, /^The login failed: registration was refused \(status 400\): this address is not allowed$/],
      [whole, 'no JSON', /registration was refused \(status 400\): no JSON$/],
    ] as [Record<string, unknown>, string, RegExp][],
    async (metadata, registration, message) => {
      Object.assign(server, { metadata, registration })
      const { status, body } = await call('POST', `${path}/connect`, { url: mcp.url })
      expect([status, body.error_code, body.message]).toEqual([409, 'MCP_LOGIN_FAILED', expect.stringMatching(message)])
    },
  )
})

test('servers whose metadata does not fit are refused in plain words', async () => {
  const { mcp, path, call } = await start()
  const connect = (url = mcp.url) => call('POST', `${path}/connect`, { url })
  await everyRow(
    [
      [{ resource: 'https://other.example/mcp' }, /resource/i],
      [{ authorization_servers: [mcp.issuer.replace('127.0.0.1', 'localhost')] }, /issuer|another|allow|localhost/i],
      [{ authorization_servers: ['http://10.0.0.1/'] }, /DOCENT_OUTBOUND_ALLOW|not allowed|failed/],
    ] as [Record<string, unknown>, RegExp][],
    async (metadata, message) => {
      mcp.state.metadata = metadata
      const { status, body } = await connect()
      expect([status, body.error_code, body.message]).toEqual([409, 'MCP_LOGIN_FAILED', expect.stringMatching(message)])
    },
  )
  expect(await connect(`${mcp.issuer}/nothing`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('asks for no login') },
  })
  expect((await connect('http://169.254.169.254/')).status).toBe(400)
  expect((await connect('ftp://x')).status).toBe(400)
})
