import { existsSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { ALLOWED, callOf, startWithServers } from '../support/mcp/mcp-chat.ts'
import {
  type McpTestServer,
  startNewestMcpServer,
  startSessionMcpServer,
  startSseMcpServer,
  stdioCommand,
} from '../support/mcp/mcp-servers.ts'
import { answer, inOrder } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const SERVERS: Record<string, () => Promise<McpTestServer>> = {
  http: startNewestMcpServer,
  'http with sessions': startSessionMcpServer,
  sse: startSseMcpServer,
}

describe.each(Object.entries(SERVERS))('a server over %s', (kind, start) => {
  const transport = kind.split(' ')[0]!

  test('has its tools listed and called, with the headers that it wants', async () => {
    const { url, requests } = await start()
    const headers = { authorization: 'Bearer geheim' }
    const { run } = await startWithServers(
      [{ name: 'calc', transport, url, headers }],
      [callOf('calc__add', { a: 2, b: 3 })],
    )
    const { offered, results, previews } = await run()
    expect(offered.find(({ name }) => name === 'calc__add')).toMatchObject({
      description: 'Does add',
      parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'] },
    })
    expect(results).toEqual(['<passage from="calc__add">\nThe sum is 5\n</passage>'])
    expect(previews).toEqual([
      { title: 'Addition', content: 'The sum is 5', content_type: 'text', status: 'completed' },
    ])
    for (const request of requests) expect(request.headers.authorization).toBe('Bearer geheim')
  })

  test('has tools that only read called side by side: each of these calls ends when the other is at work', async () => {
    const { url } = await start()
    const chat = await startTestChat({
      script: inOrder(
        answer(
          callOf('calc__meet', { place: kind, count: 2 }),
          callOf('calc__meet', { place: kind, count: 2, by: 'b' }),
        ),
        answer('Done'),
      ),
      settings: ALLOWED,
    })
    await chat.succeed('PATCH', `/agents/${chat.agentId}`, { mcp_servers: [{ name: 'calc', transport, url }] })
    const events = await (await chat.stream('Go')).rest()
    const updates = events.filter(({ type }) => type === 'live_update')
    expect(updates.map(({ subtype }) => subtype)).toEqual([
      'tool_call_start',
      'tool_call_start',
      'tool_call_result',
      'tool_call_result',
    ])
    const ids = updates.map(({ data }) => data.tool_call_id as string)
    expect(new Set(ids).size).toBe(2)
    expect(new Set(ids.slice(2))).toEqual(new Set(ids.slice(0, 2)))
    expect(updates.slice(2).map(({ data }) => data.preview)).toMatchObject([
      { content: '2 met', status: 'completed' },
      { content: '2 met', status: 'completed' },
    ])
    const numbers = events.map(({ sequence_number }) => sequence_number)
    expect(numbers).toEqual(numbers.map((_, index) => index))
    const read = chat.model.requests.at(-1)!.body.messages.filter(({ role }: any) => role === 'tool')
    expect(read.map(({ tool_call_id }: any) => tool_call_id)).toEqual(ids.slice(0, 2))
  })

  test('that answers with errors, huge results or not at all does not end the run', async () => {
    const { url } = await start()
    const { run } = await startWithServers(
      [{ name: 'calc', transport, url }],
      [callOf('calc__fail'), callOf('calc__large'), callOf('calc__add', { a: 'two' }), callOf('calc__quote')],
    )
    const { results, previews, events } = await run()
    expect(results[0]).toMatch(/The call failed.\n<passage from="calc__fail">\nIt is broken/)
    expect(results[0]!.match(/<\/passage>/g)).toHaveLength(1)
    expect(results[1]).toContain('more than')
    expect(results[2]).toBeTruthy()
    expect(previews.map(({ status }) => status)).toEqual(['error', 'error', 'error', 'completed'])
    // Text of a server cannot close the section that marks it as untrusted.
    expect(results[3]!.match(/<\/passage>/g)).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'end_response' })
  })
})

describe('a program', () => {
  const settings = { DOCENT_MCP_COMMANDS: stdioCommand() }
  const servers = [{ name: 'calc', transport: 'stdio', command: 'tools' }]

  test('that a setting names is run, with nothing of the server but what it needs', async () => {
    const { run } = await startWithServers(servers, [callOf('calc__add', { a: 2, b: 3 }), callOf('calc__env')], {
      ...settings,
      OPENAI_API_KEY: 'not for programs',
    })
    const { results } = await run()
    expect(results[0]).toContain('The sum is 5')
    const env = JSON.parse(results[1]!.split('\n')[1]!)
    expect(env.TOKEN).toBe('of the operator')
    expect(Object.keys(env).filter((name) => /DOCENT|API_KEY|VITEST/.test(name))).toEqual([])
  })

  test('that crashes is started again when it is next used', async () => {
    const { run } = await startWithServers(
      servers,
      [callOf('calc__pid'), callOf('calc__crash'), callOf('calc__pid')],
      settings,
    )
    const { results, previews } = await run()
    expect(previews.map(({ status }) => status)).toEqual(['completed', 'error', 'completed'])
    expect(results[1]).toContain('broke off')
    expect(results[2]).not.toBe(results[0])
  })

  test('ends with the server', async () => {
    const { run, close } = await startWithServers(servers, [callOf('calc__pid')], settings)
    const pid = /\d+/.exec((await run()).results[0]!)![0]
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    await close()
    expect(isRunning(Number(pid))).toBe(false)
  })

  test('that no setting names is refused', async () => {
    const { call, agentId } = await startTestChat({ settings })
    for (const command of ['node', '/bin/sh', '']) {
      const mcp_servers = [{ name: 'calc', transport: 'stdio', command }]
      const reply = await call('PATCH', `/agents/${agentId}`, { mcp_servers })
      expect(reply.status, command).toBe(400)
      expect(reply.body.message).toContain('DOCENT_MCP_COMMANDS')
    }
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('names of tools are such that models take them', async () => {
  const { url } = await startNewestMcpServer()
  const { run } = await startWithServers([{ name: 'calc', url }], [callOf('calc__dotted_name')])
  const { offered, results } = await run()
  for (const { name } of offered) expect(name).toMatch(/^calc__[A-Za-z0-9_-]{1,58}$/)
  expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length)
  expect(offered.some(({ name }) => /^calc__long-.*_[0-9a-f]{8}$/.test(name))).toBe(true)
  expect(results[0]).toContain('dotted')
})

test('only tools that are switched on are offered, and one that is gone is reported', async () => {
  const { url } = await startNewestMcpServer()
  const { run } = await startWithServers([{ name: 'calc', url, tools: ['add', 'gone'] }], [])
  const { offered, previews, system } = await run()
  expect(offered.map(({ name }) => name)).toEqual(['calc__add'])
  expect(previews).toMatchObject([{ status: 'error', content: expect.stringContaining('no longer offers: gone') }])
  expect(system).toContain('no longer offers: gone')
})

test('pictures, embedded text and structured content are shown', async () => {
  const { url } = await startNewestMcpServer()
  const { run } = await startWithServers([{ name: 'calc', url }], [callOf('calc__picture'), callOf('calc__parts')])
  const { results, previews } = await run()
  expect(previews[0]).toMatchObject({
    content_type: 'image',
    content: expect.stringMatching(/^data:image\/png;base64,/),
  })
  expect(results[1]).toContain('Embedded text')
  expect(results[1]).toContain('B: https://example.com/b')
  expect(results[1]).toContain('{"count":3}')
  expect(previews[1]).toMatchObject({ content_type: 'json' })
})

test('a server that asks for a person is refused, and the call says why', async () => {
  const { url } = await startSessionMcpServer()
  const { run } = await startWithServers([{ name: 'calc', url }], [callOf('calc__elicit')])
  expect((await run()).previews).toMatchObject([{ status: 'error' }])
})

test('a tool that comes while the agent works is there for the next question', async () => {
  const { url } = await startSessionMcpServer()
  const { run, stream, model } = await startWithServers([{ name: 'calc', url }], [callOf('calc__grow')])
  const { offered } = await run()
  expect(offered.map(({ name }) => name)).not.toContain('calc__grown')
  await vi.waitFor(async () => {
    await (await stream('Again')).rest()
    const tools = model.requests.at(-1)!.body.tools as any[]
    expect(tools.map(({ function: tool }) => tool.name)).toContain('calc__grown')
  }, 30_000)
})

test('a session that the server forgot is begun anew, in the middle of a run', async () => {
  const server = await startSessionMcpServer()
  const sum = callOf('calc__add', { a: 2, b: 3 })
  const { run } = await startWithServers([{ name: 'calc', url: server.url }], [sum, callOf('calc__quote'), sum])
  let calls = 0
  server.intercept(({ method }) => {
    // Handshake, listing and first call are over by then.
    if (method === 'POST' && ++calls === 6) server.forget()
    return false
  })
  const { results, previews } = await run()
  expect(calls).toBeGreaterThan(6)
  expect(previews.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  expect(results[2]).toContain('The sum is 5')
})

describe('a server that is away', () => {
  test('is reported, and the agent goes on without it', async () => {
    const { url } = await startNewestMcpServer()
    const { run } = await startWithServers(
      [
        { name: 'calc', url },
        { name: 'away', url: 'http://127.0.0.1:9/mcp' },
      ],
      [],
    )
    const { offered, previews, system, events } = await run()
    expect(offered.map(({ name }) => name)).toContain('calc__add')
    expect(previews).toMatchObject([
      { title: 'away', status: 'error', content: expect.stringContaining('ECONNREFUSED') },
    ])
    expect(system).toContain('The MCP server away is away')
    expect(events.at(-1)).toMatchObject({ type: 'end_response' })
  })

  test('or that never answers is not waited for longer than some seconds', async () => {
    const server = await startNewestMcpServer()
    server.intercept(() => true)
    const { run } = await startWithServers([{ name: 'mute', url: server.url }], [])
    const { previews } = await run()
    expect(previews).toMatchObject([{ status: 'error', content: expect.stringContaining('did not answer in time') }])
  })
})

test('a tool that needs approval waits for a person', async () => {
  const { url } = await startNewestMcpServer()
  const { run, succeed, agentId, model } = await startWithServers(
    [{ name: 'calc', url }],
    [callOf('calc__add', { a: 2, b: 3 })],
  )
  await succeed('PATCH', `/agents/${agentId}`, { tools_needing_approval: ['calc__*'] })
  const { events } = await run()
  const review = events.find(({ type }) => (type as string) === 'review_request')
  expect(review).toBeDefined()
  expect(model.requests).toHaveLength(1)
})
