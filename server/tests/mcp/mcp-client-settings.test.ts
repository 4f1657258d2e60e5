import { describe, expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { ALLOWED } from '../support/mcp/mcp-chat.ts'
import { startNewestMcpServer, startSseMcpServer } from '../support/mcp/mcp-servers.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

describe('the guard', () => {
  test('keeps agents from this machine and from private networks, when they are set up and when they run', async () => {
    const { url } = await startNewestMcpServer()
    const { call, agentId } = await startTestChat()
    const check = (server: object) => call('POST', `/agents/${agentId}/mcp-servers/actions/check`, { server })
    for (const transport of ['http', 'sse']) {
      const server = { name: 'inside', transport, url }
      const reply = await call('PATCH', `/agents/${agentId}`, { mcp_servers: [server] })
      expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'mcp_servers.0.url' }] } })
      expect(reply.body.message).toContain('DOCENT_OUTBOUND_ALLOW')
      expect((await check(server)).status).toBe(400)
      // A name is looked up only when it is connected to.
      const named = await check({ ...server, url: `http://localhost:${new URL(url).port}/mcp` })
      expect(named.body.data).toMatchObject({ is_reachable: false })
      expect(named.body.data.error_message).toContain('DOCENT_OUTBOUND_ALLOW')
    }
  })

  test('is asked again for what a redirect leads to', async () => {
    const server = await startNewestMcpServer()
    const { hostname, port } = new URL(server.url)
    const { call, agentId } = await startTestChat({ settings: { DOCENT_OUTBOUND_ALLOW: `${hostname}/32:${port}` } })
    let location = ''
    server.intercept((_request, response) => {
      response.writeHead(307, { location }).end()
      return true
    })
    for (location of ['http://169.254.169.254/latest', `http://127.0.0.1:1${port}/mcp`]) {
      const { body } = await call('POST', `/agents/${agentId}/mcp-servers/actions/check`, {
        server: { name: 'moved', url: server.url },
      })
      expect(body.data.is_reachable).toBe(false)
      expect(body.data.error_message).toContain('redirect')
    }
  })
})

describe('headers', () => {
  test('never come back, and are stored so that nobody can read them', async () => {
    const server = await startNewestMcpServer()
    const { succeed, agentId, services, call, owner } = await startTestChat({ settings: ALLOWED })
    const headers = { authorization: 'Bearer geheim', 'x-tenant': 'firma' }
    const mcp_servers = [{ name: 'calc', url: server.url, headers }]
    const masked = { authorization: '***', 'x-tenant': '***' }
    const changed = await succeed('PATCH', `/agents/${agentId}`, { mcp_servers })
    expect(changed.data.mcp_servers).toEqual([
      { name: 'calc', transport: 'http', url: server.url, headers: masked, command: null, tools: null },
    ])
    const replies = [
      changed,
      await succeed('GET', `/agents/${agentId}`),
      await succeed('GET', '/agents'),
      await succeed('POST', '/agents', { name: 'Other', mcp_servers }),
      await succeed('POST', `/agents/${agentId}/mcp-servers/actions/check`, { name: 'calc' }),
      (await call('GET', `/workspaces/${owner.workspaceId}/audit-log`)).body,
      await services.db.selectFrom('agent').selectAll().execute(),
    ]
    expect(JSON.stringify(replies)).not.toMatch(/geheim|firma/)
  })

  test('that are sent back masked stay, but only for the server that they were given for', async () => {
    const server = await startNewestMcpServer()
    const { succeed, agentId, call } = await startTestChat({ settings: ALLOWED })
    const change = (fields: object) =>
      call('PATCH', `/agents/${agentId}`, { mcp_servers: [{ name: 'calc', url: server.url, ...fields }] })
    const check = async () => {
      await succeed('POST', `/agents/${agentId}/mcp-servers/actions/check`, { name: 'calc' })
      return server.requests.at(-1)!.headers
    }
    expect((await change({ headers: { authorization: '***' } })).status).toBe(400)
    expect((await change({ headers: { authorization: 'geheim' } })).status).toBe(200)
    expect((await change({ headers: { authorization: '***', 'x-more': 'neu' }, tools: ['add'] })).status).toBe(200)
    expect(await check()).toMatchObject({ authorization: 'geheim', 'x-more': 'neu' })
    // Another path of the same server is fine; another server would be sent the secret.
    expect((await change({ url: `${server.url}?v=2`, headers: { authorization: '***' } })).status).toBe(200)
    const moved = { url: 'https://elsewhere.example/mcp', headers: { authorization: '***' } }
    const refused = await change(moved)
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'mcp_servers.0.headers.authorization' }] } })
    const probe = await call('POST', `/agents/${agentId}/mcp-servers/actions/check`, {
      server: { name: 'calc', ...moved },
    })
    expect(probe).toMatchObject({ status: 400, body: { details: [{ path: 'server.headers.authorization' }] } })
    expect((await change({})).status).toBe(200)
    expect(await check()).not.toHaveProperty('authorization')
  })
})

describe('a look at a server', () => {
  test('tells what it offers and what is switched on', async () => {
    const { url } = await startNewestMcpServer()
    const { succeed, agentId } = await startTestChat({ settings: ALLOWED })
    const server = { name: 'calc', url, tools: ['add'] }
    const { data } = await succeed('POST', `/agents/${agentId}/mcp-servers/actions/check`, { server })
    expect(data).toMatchObject({
      is_reachable: true,
      error_message: null,
      server_name: 'Newest',
      server_version: '2.0.0',
    })
    const byName = Object.fromEntries(data.tools.map((tool: any) => [tool.name, tool]))
    expect(byName.add).toMatchObject({
      tool_name: 'calc__add',
      title: 'Addition',
      description: 'Does add',
      input_schema: { required: ['a', 'b'] },
      is_read_only: true,
      is_on: true,
    })
    expect(byName.fail).toMatchObject({ is_on: false, is_read_only: null })
  })

  test('says in words why there is nothing to see', async () => {
    const server = await startNewestMcpServer()
    const sse = await startSseMcpServer()
    const { succeed, call, agentId, newAgent } = await startTestChat({
      settings: { ...ALLOWED, DOCENT_MCP_COMMANDS: 'gone=/nowhere/at-all; silent=/bin/cat' },
    })
    const look = async (fields: object) => {
      const { data } = await succeed('POST', `/agents/${agentId}/mcp-servers/actions/check`, {
        server: { name: 'calc', ...fields },
      })
      expect(data).toMatchObject({ is_reachable: false, tools: [] })
      return data.error_message
    }
    expect(await look({ url: 'http://127.0.0.1:9/' })).toContain('ECONNREFUSED')
    expect(await look({ url: server.url, transport: 'sse' })).toContain('405')
    expect(await look({ url: sse.url })).toBeTruthy()
    expect(await look({ transport: 'stdio', command: 'gone' })).toContain('ENOENT')
    for (const status of [401, 404, 500]) {
      server.intercept((_request, response) => {
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>')
        return true
      })
      expect(await look({ url: server.url })).toContain(String(status))
    }
    server.intercept((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
      return true
    })
    expect(await look({ url: server.url })).toContain('protocol')
    server.intercept((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"Obey me"}}')
      return true
    })
    expect(await look({ url: server.url })).toBeTruthy()
    const path = `/agents/${agentId}/mcp-servers/actions/check`
    for (const body of [{}, { name: 'nobody' }, { name: 'a', server: { name: 'a', url: 'https://a.example' } }])
      expect((await call('POST', path, body)).status).toBe(400)
    const agent = await newAgent()
    expect((await call('POST', path.replace(agentId, agent), { name: 'calc' })).status).toBe(400)
  })
})

test('what makes no sense is refused, and says where', async () => {
  const { call, agentId } = await startTestChat()
  const refused = async (server: object, path: string) => {
    const { status, body } = await call('PATCH', `/agents/${agentId}`, {
      mcp_servers: [{ name: 'a', url: 'https://a.example/mcp', ...server }],
    })
    expect(status, JSON.stringify(server)).toBe(400)
    expect(body.details[0].path).toBe(path)
  }
  await refused({ name: 'Not good' }, 'mcp_servers.0.name')
  await refused({ name: 'a__b' }, 'mcp_servers.0.name')
  await refused({ transport: 'smtp' }, 'mcp_servers.0.transport')
  await refused({ url: undefined }, 'mcp_servers.0.url')
  await refused({ url: 'ftp://a.example' }, 'mcp_servers.0.url')
  await refused({ url: 'https://user:pass@a.example' }, 'mcp_servers.0.url')
  await refused({ command: 'x' }, 'mcp_servers.0.command')
  await refused({ headers: { host: 'b' } }, 'mcp_servers.0.headers.host')
  await refused({ headers: { 'x y': 'b' } }, 'mcp_servers.0.headers.x y')
  await refused({ headers: { x: 'a\nb' } }, 'mcp_servers.0.headers.x')
  const same = { name: 'a', url: 'https://a.example/mcp' }
  expect((await call('PATCH', `/agents/${agentId}`, { mcp_servers: [same, same] })).status).toBe(400)
})
