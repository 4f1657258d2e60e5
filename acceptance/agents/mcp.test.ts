import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError, request } from '../support/api.ts'
import { makeAgent, makeFile, makeFolder, makeKey, newConversation } from '../support/make.ts'
import { target } from '../support/target.ts'
import { called, scripted, testOfTwo } from '../support/tests.ts'
import { anId, freshId, unique } from '../support/values.ts'
import { until } from '../support/wait.ts'

const BOTH = 'application/json, text/event-stream'

/** One message of the protocol, in the form before 2026-07-28. */
const send = (message: object, key = target.key, accept = 'application/json') =>
  request('POST', '/mcp', { headers: { 'x-api-key': key, accept }, body: { jsonrpc: '2.0', ...message } })

async function rpc(method: string, params: object = {}, key = target.key): Promise<any> {
  const { status, body } = await send({ id: 1, method, params }, key)
  expect(status).toBe(200)
  return body
}

const resultOf = async (method: string, params: object = {}, key = target.key): Promise<any> => {
  const { result, error } = await rpc(method, params, key)
  expect(error).toBeUndefined()
  return result
}

/** All pages of a list. */
async function all(method: string, name: string, key = target.key): Promise<any[]> {
  const found: any[] = []
  let cursor: string | undefined
  do {
    const page = await resultOf(method, cursor === undefined ? {} : { cursor }, key)
    found.push(...page[name])
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

const toolOf = async (agent: any, key = target.key) =>
  (await all('tools/list', 'tools', key)).find(({ title }) => title === agent.name)

describe('POST /mcp', () => {
  test('wants an API key, and says how to send it', async () => {
    const reply = await request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    expectError(reply, 401, 'UNAUTHORIZED')
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test('answers a body that is not JSON with an error of the protocol', async () => {
    for (const body of ['{"jsonrpc": "2.0",', '"\\ud800"']) {
      const headers = { 'x-api-key': target.key }
      const reply = await request('POST', '/mcp', { headers, body })
      expect(reply.status).toBe(400)
      expect(reply.body).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } })
    }
  })

  test('takes it as Authorization: Bearer, too', async () => {
    const headers = { authorization: `Bearer ${target.key}`, accept: BOTH }
    const reply = await request('POST', '/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
    expect(reply.status).toBe(200)
  })

  test('introduces itself, in a revision that the client speaks', async () => {
    for (const protocolVersion of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const clientInfo = { name: 'acceptance', version: '1' }
      const { serverInfo, capabilities, ...rest } = await resultOf('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo,
      })
      expect(rest.protocolVersion).toBe(protocolVersion)
      expect(serverInfo.name).toBe('docent')
      expect(capabilities).toMatchObject({ tools: {}, resources: {}, prompts: {} })
    }
  })

  test('answers a notification with 202 and nothing', async () => {
    const reply = await send({ method: 'notifications/initialized' }, target.key, BOTH)
    expect([reply.status, reply.text]).toEqual([202, ''])
  })

  test('answers as JSON or as a stream, as the client accepts', async () => {
    const json = await send({ id: 1, method: 'tools/list' })
    expect(json.headers.get('content-type')).toMatch(/^application\/json/)
    const stream = await send({ id: 1, method: 'tools/list' }, target.key, BOTH)
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(stream.text).toMatch(/^event: message\ndata: \{/m)
  })

  test('tells a method that is none by its code', async () => {
    expect(await rpc('tools/juggle')).toMatchObject({ error: { code: -32601 } })
  })

  test('other methods are 405', () =>
    everyRow(['GET', 'DELETE'], async (method) => {
      const reply = await request(method, '/mcp', { headers: { 'x-api-key': target.key } })
      expectError(reply, 405, 'METHOD_NOT_ALLOWED')
      expect(reply.headers.get('allow')).toContain('POST')
    }))

  test('refuses pages of other sites', async () => {
    const headers = { 'x-api-key': target.key, origin: 'https://elsewhere.example' }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expectError(await request('POST', '/mcp', { headers, body }), 403, 'FORBIDDEN')
  })
})

describe('agents as tools', () => {
  test('each agent is one, with a name that any client takes', async () => {
    const agent = await makeAgent({ name: unique('Größter Ähnlicher'), description: 'Knows the way' })
    const tool = await toolOf(agent)
    expect(tool.name).toMatch(/^[a-z0-9_-]{1,64}$/)
    expect(tool.description).toContain('Knows the way')
    expect(tool.inputSchema).toMatchObject({ type: 'object', required: ['query'] })
  })

  scripted('a call asks it, in a new chat or in one that goes on', async () => {
    const agent = await makeAgent()
    const { name } = await toolOf(agent)
    const ask = (given: object) => resultOf('tools/call', { name, arguments: given })
    const first = await ask({ query: 'say Hello there' })
    expect(first.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('Hello there') })
    expect(first.structuredContent).toMatchObject({
      status: 'completed',
      message_id: anId,
      chat_id: anId,
      citations: [],
    })
    const { chat_id } = first.structuredContent
    expect((await ask({ query: 'say Again', chat_id })).structuredContent.chat_id).toBe(chat_id)
    const { messages } = dataOf(await api.get(`/agents/${agent.id}/chats/${chat_id}/messages`))
    expect(messages.map(({ query }: any) => query)).toEqual(['say Hello there', 'say Again'])
    expect(dataOf(await api.get(`/agents/${agent.id}/chats/${chat_id}`)).chat_type).toBe('standard')
  })

  scripted('what goes wrong is a result with isError', async () => {
    const { name } = await toolOf(await makeAgent())
    const ask = (given: object) => resultOf('tools/call', { name, arguments: given })
    expect(await ask({ query: 'fail' })).toMatchObject({ isError: true, structuredContent: { status: 'failed' } })
    for (const given of [
      {},
      { query: '' },
      { query: 'say x', chat_id: freshId() },
      { query: 'say x', virtual_user_email: 'x' },
    ])
      expect(await ask(given)).toMatchObject({ isError: true })
    expect(await rpc('tools/call', { name: unique('nobody'), arguments: {} })).toMatchObject({
      error: { code: -32602 },
    })
  })

  test('a key of one agent sees that one', async () => {
    const agent = await makeAgent()
    const { key } = await makeKey({ scopes: { agent_ids: [agent.id] } })
    expect((await all('tools/list', 'tools', key)).map(({ title }) => title)).toEqual([agent.name])
    expect(await all('resources/list', 'resources', key)).toEqual([])
  })

  testOfTwo('nobody sees those of another organization', async () => {
    const agent = await makeAgent()
    expect(await toolOf(agent, target.otherKey)).toBeUndefined()
  })
})

describe('folders as resources', () => {
  test('a folder lists its files, and a file is read as text', async () => {
    const folder = await makeFolder()
    const fields = { trigger_indexing: true, data_source_title: unique('Avocet') }
    const file = await makeFile(folder.id, fields, 'The avocet sweeps its bill from side to side.')
    const agent = await makeAgent({ knowledge_base_ids: [folder.id] })
    const { key } = await makeKey({ scopes: { agent_ids: [agent.id], knowledge_base_ids: [folder.id] } })
    const uri = `docent://knowledge-bases/${folder.id}/data-sources/${file._id}`
    const resources = await until('listed', async () => {
      const found = await all('resources/list', 'resources', key)
      return found.length === 2 && found
    })
    expect(resources.map((resource: any) => resource.uri)).toEqual([`docent://knowledge-bases/${folder.id}`, uri])
    const { contents } = await resultOf('resources/read', { uri }, key)
    expect(contents[0]).toMatchObject({ uri, mimeType: 'text/plain', text: expect.stringContaining('avocet') })
    const listing = await resultOf('resources/read', { uri: resources[0].uri }, key)
    expect(JSON.parse(listing.contents[0].text).files).toMatchObject([{ title: fields.data_source_title, uri }])
    expect((await resultOf('resources/templates/list')).resourceTemplates.length).toBeGreaterThan(0)
  })

  test('what is not there, or not for the key, cannot be distinguished', async () => {
    const folder = await makeFolder()
    const { key } = await makeKey({ scopes: { knowledge_base_ids: [] } })
    const codes: unknown[] = []
    for (const id of [folder.id, freshId()]) {
      const { error } = await rpc('resources/read', { uri: `docent://knowledge-bases/${id}` }, key)
      codes.push(error.code)
    }
    expect(new Set(codes).size).toBe(1)
  })
})

describe('mcp_servers of an agent', () => {
  const server = { name: 'tickets', url: 'https://tickets.example/mcp', headers: { authorization: 'Bearer geheim' } }

  test('are stored, and their headers never come back', async () => {
    const agent = await makeAgent({ mcp_servers: [server] })
    const shown = [{ ...server, transport: 'http', command: null, tools: null, headers: { authorization: '***' } }]
    expect(agent.mcp_servers).toEqual(shown)
    const again = await api.patch(`/agents/${agent.id}`, { mcp_servers: agent.mcp_servers })
    expect(dataOf(again).mcp_servers).toEqual(shown)
    expect((await api.get(`/agents/${agent.id}`)).text).not.toContain('geheim')
  })

  test('wrong fields of a server are 400', () =>
    everyRow(
      [
        ['a name with capitals', { name: 'Tickets' }],
        ['no URL', { url: null }],
        ['a URL that is none', { url: 'tickets' }],
        ['a transport that is none', { transport: 'mail' }],
        ['a program that no setting names', { transport: 'stdio', url: null, headers: {}, command: 'sh' }],
        ['a mask without a value', { headers: { authorization: '***' } }],
        ['a header that HTTP sets', { headers: { host: 'x' } }],
      ],
      async (_, fields) => {
        const reply = await api.post('/agents', { name: unique('agent'), mcp_servers: [{ ...server, ...fields }] })
        expectError(reply, 400, 'VALIDATION_ERROR', /mcp_servers/)
      },
    ))

  test('a look at one that is away says why', async () => {
    const agent = await makeAgent()
    const away = { name: 'away', url: 'http://nowhere.invalid/mcp' }
    const looked = dataOf(await api.post(`/agents/${agent.id}/mcp-servers/actions/check`, { server: away }))
    expect(looked).toMatchObject({ is_reachable: false, error_message: expect.stringMatching(/\S/), tools: [] })
  })

  // Docent is an MCP server, too: one of its agents uses another one over the protocol.
  called('their tools are offered, called and shown', async () => {
    const helper = await makeAgent()
    const { key } = await makeKey({ scopes: { agent_ids: [helper.id] } })
    const { name } = await toolOf(helper)
    const docent = { name: 'docent', url: `${target.url}/mcp`, headers: { 'x-api-key': key } }
    const { answer, agent, path } = await newConversation({ mcp_servers: [docent] })
    const looked = dataOf(await api.post(`/agents/${agent.id}/mcp-servers/actions/check`, { name: 'docent' }))
    expect(looked).toMatchObject({ is_reachable: true, tools: [{ name, tool_name: `docent__${name}`, is_on: true }] })
    const { text } = await answer(`call docent__${name} {"query":"say Kingfisher"}\necho`)
    const seen = JSON.parse(text)
    expect(seen.tools).toEqual([`docent__${name}`])
    expect(seen.messages.at(-1).content).toContain('Kingfisher')
    const stream = await request('POST', `/v1${path}/query`, {
      headers: { 'x-api-key': target.key },
      body: { query: `call docent__${name} {"query":"say Kingfisher"}\nsay Done`, is_stream: true },
    })
    expect(stream.text).toMatch(/"tool_call_result".*Kingfisher/)
  })
})
