import { describe, expect, test, vi } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { connectFirstMcp, connectMcp, type McpClient, textOf } from '../support/mcp/mcp.ts'
import { answer, inOrder } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const CLIENTS: Record<string, (url: string, key: string) => Promise<McpClient>> = {
  'of 2026-07-28': (url, key) => connectMcp(url, key),
  'of 2025-11-25': (url, key) => connectMcp(url, key, 'legacy'),
  'of the first line of the SDK': connectFirstMcp,
}

describe.each(Object.entries(CLIENTS))('a client %s', (_, connect) => {
  test('asks an agent, gets its files, and goes on with the conversation', async () => {
    const { url, owner, agentId, succeed } = await startTestChat({
      script: inOrder(
        answer({ toolCall: { name: 'create_file', arguments: { name: 'a.md', content: '# A' } } }),
        answer('Once'),
        answer('Twice'),
      ),
    })
    await succeed('PATCH', `/agents/${agentId}`, { tools: ['create_file'], description: 'Knows its way' })
    const client = await connect(url, owner.apiKey)
    expect(client.getServerVersion()).toMatchObject({ name: 'docent', version: VERSION })
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([{ name: 'guide', title: 'Guide', inputSchema: { required: ['query'] } }])
    expect(tools[0]!.description).toContain('Knows its way')

    const first = await client.callTool({ name: 'guide', arguments: { query: 'One?' } })
    expect(first.isError).toBeFalsy()
    expect(textOf(first)).toContain('Once')
    const told = first.structuredContent as { chat_id: string; message_id: string; text: string; status: string }
    expect(told).toMatchObject({ text: 'Once', status: 'completed', citations: [] })
    const link = (first.content as { type: string; uri?: string; name?: string }[]).find(
      ({ type }) => type === 'resource_link',
    )!
    expect(link.name).toBe('a.md')
    expect(await (await fetch(link.uri!)).text()).toBe('# A')

    const { chat_id } = told
    const second = await client.callTool({ name: 'guide', arguments: { query: 'Two?', chat_id } })
    expect(second.structuredContent).toMatchObject({ text: 'Twice', chat_id })
    const { messages } = (await succeed('GET', `/agents/${agentId}/chats/${chat_id}/messages`)).data
    expect(messages.map(({ query }: { query: string }) => query)).toEqual(['One?', 'Two?'])
  })

  test('hears of progress while the agent works', async () => {
    const { url, owner, agentId, succeed } = await startTestChat({
      script: inOrder(
        answer({ toolCall: { name: 'create_file', arguments: { name: 'a.md', content: '# A' } } }),
        answer('Done', { waitMs: 50 }),
      ),
    })
    await succeed('PATCH', `/agents/${agentId}`, { tools: ['create_file'] })
    const client = await connect(url, owner.apiKey)
    const heard: { progress: number; message?: string }[] = []
    const options = { onprogress: (progress: { progress: number; message?: string }) => heard.push(progress) }
    await client.callTool({ name: 'guide', arguments: { query: 'One?' } }, options)
    const messages = heard.map(({ message }) => message)
    expect(messages).toContain('Using create_file')
    expect(messages).toContain('a.md')
    const numbers = heard.map(({ progress }) => progress)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  test('cancels a call, and with it the run', async () => {
    const { url, owner, agentId, model, succeed } = await startTestChat({ script: () => answer('Be', { hang: true }) })
    const client = await connect(url, owner.apiKey)
    const abort = new AbortController()
    const call = { name: 'guide', arguments: { query: 'One?' } }
    const asked = client.callTool(call, { signal: abort.signal })
    asked.catch(() => {})
    await vi.waitFor(() => expect(model.requests).toHaveLength(1), 30_000)
    abort.abort()
    await expect(asked).rejects.toThrow()
    await model.requests[0]!.left
    const { chats } = (await succeed('GET', `/agents/${agentId}/chats`)).data
    const chat = chats.find(({ metadata }: any) => metadata.source === 'mcp')
    await vi.waitFor(async () => {
      const { messages } = (await succeed('GET', `/agents/${agentId}/chats/${chat.id}/messages`)).data
      expect(messages[0]).toMatchObject({ ai_resolution_status: 'completed', error_message: 'cancelled' })
    }, 30_000)
  })

  test('reads folders and documents as resources, page by page', async () => {
    const { url, owner, newAgent, call } = await startTestChat()
    const { newFolder, addFile, listFiles } = driveOf({ call })
    const folder = await newFolder('Handbook')
    const long = Array.from({ length: 2500 }, (_, i) => `Sentence number ${i} has five words.`).join(' ')
    const file = await addFile(folder, { title: 'Long.txt', content: long, index: true })
    await addFile(folder, { title: 'Pending.txt' })
    await vi.waitFor(async () => expect((await listFiles(folder)).data_sources_count.successful).toBe(1), 30_000)
    await newAgent({ name: 'Reader', knowledge_base_ids: [folder] })

    const client = await connect(url, owner.apiKey)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      `docent://knowledge-bases/${folder}`,
      `docent://knowledge-bases/${folder}/data-sources/${file}`,
    ])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toHaveLength(2)
    const [listing] = (await client.readResource({ uri: resources[0]!.uri })).contents as { text: string }[]
    const { name, files } = JSON.parse(listing!.text)
    expect(name).toBe('Handbook')
    expect(files).toHaveLength(2)
    let uri: string | undefined = resources[1]!.uri
    let read = ''
    let pages = 0
    while (uri) {
      const [part] = (await client.readResource({ uri })).contents as { text: string; _meta?: { next?: string } }[]
      read += part!.text
      uri = part!._meta?.next
      pages++
    }
    expect(pages).toBeGreaterThan(1)
    expect(read).toContain('Sentence number 0 has')
    expect(read).toContain('Sentence number 2499 has')
    for (const wrong of [`docent://knowledge-bases/${UNKNOWN_ID}`, 'docent://nothing', 'file:///etc/passwd'])
      await expect(client.readResource({ uri: wrong })).rejects.toThrow()
  })
})

test('names of tools: from the names of agents, distinguished where they are alike, valid whatever the name', async () => {
  const { url, owner, newAgent } = await startTestChat()
  const second = await newAgent({ name: 'Guide' })
  await newAgent({ name: 'Größe & Maß (neu)' })
  const third = await newAgent({ name: '客服' })
  const client = await connectMcp(url, owner.apiKey)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(['guide', `guide_${second.slice(-8)}`, 'grosse_mass_neu', `agent_${third.slice(-8)}`])
  const result = await client.callTool({ name: `guide_${second.slice(-8)}`, arguments: { query: 'Hello?' } })
  expect(result.structuredContent).toMatchObject({ text: 'ok' })
})

test('many agents come in pages', async () => {
  const { url, owner, newAgent } = await startTestChat()
  for (let i = 0; i < 105; i++) await newAgent({ name: `Agent ${i}` })
  const client = await connectMcp(url, owner.apiKey)
  const first = await client.request({ method: 'tools/list' })
  expect(first.tools).toHaveLength(100)
  expect(first.nextCursor).toBeTruthy()
  expect((await client.listTools()).tools).toHaveLength(106)
  await expect(client.request({ method: 'tools/list', params: { cursor: 'x' } })).rejects.toThrow('cursor')
})

test('what goes wrong is a result that says why', async () => {
  const { url, owner } = await startTestChat({
    script: () => ({ status: 401, body: { error: { message: 'bad key' } } }),
  })
  const client = await connectMcp(url, owner.apiKey)
  const failed = await client.callTool({ name: 'guide', arguments: { query: 'Hello?' } })
  expect(failed).toMatchObject({ isError: true, structuredContent: { status: 'failed' } })
  expect(textOf(failed)).toContain('The agent failed')
  const wrong: [given: object, message: RegExp][] = [
    [{}, /^query: is required$/],
    [{ query: ' ' }, /^query: must not be blank$/],
    [{ query: 5 }, /^query: .*string/],
    [{ query: 'x', virtual_user_email: 'nobody' }, /email/],
  ]
  for (const [given, message] of wrong) {
    const refused = await client.callTool({ name: 'guide', arguments: given as never })
    expect(refused.isError, JSON.stringify(given)).toBe(true)
    expect(textOf(refused)).toMatch(message)
  }
  const lost = await client.callTool({ name: 'guide', arguments: { query: 'Hello?', chat_id: UNKNOWN_ID } })
  expect(lost).toMatchObject({ isError: true })
  expect(textOf(lost)).toContain('no chat')
  await expect(client.callTool({ name: 'nobody', arguments: { query: 'x' } })).rejects.toThrow('no tool named nobody')
})

test('a run that waits for a person says so, and for what', async () => {
  const { url, owner, agentId, succeed } = await startTestChat({
    script: inOrder(
      answer({ toolCall: { name: 'ask_person', arguments: { question: 'Which kiln?' } } }),
      answer('That one'),
    ),
  })
  await succeed('PATCH', `/agents/${agentId}`, { tools: ['ask_person'] })
  const client = await connectMcp(url, owner.apiKey)
  const waiting = await client.callTool({ name: 'guide', arguments: { query: 'Fire it up' } })
  expect(waiting.isError).toBeFalsy()
  expect(waiting.structuredContent).toMatchObject({
    status: 'waiting',
    review_text: 'Which kiln?',
    error_message: null,
  })
  expect(textOf(waiting)).toContain('waits for a person')
  const { chat_id, message_id } = waiting.structuredContent as { chat_id: string; message_id: string }
  const path = `/agents/${agentId}/chats/${chat_id}/message/${message_id}`
  await succeed('POST', `${path}/review`, { decision: 'answer', note: 'The blue one' })
  await vi.waitFor(async () => expect((await succeed('GET', path)).data.response).toBe('That one'), 30_000)
})

test('a shortcut is a prompt', async () => {
  const { url, owner, agentId, succeed } = await startTestChat()
  await succeed('POST', `/agents/${agentId}/shortcuts`, {
    name: 'Sum up',
    prompt: 'Sum up {{topic}} in {{lines}} lines',
    fields: [
      { name: 'topic', required: true },
      { name: 'lines', type: 'number' },
    ],
  })
  const client = await connectMcp(url, owner.apiKey)
  const { prompts } = await client.listPrompts()
  expect(prompts).toMatchObject([
    {
      name: 'guide__sum_up',
      title: 'Guide: Sum up',
      arguments: [
        { name: 'topic', required: true },
        { name: 'lines', required: false },
      ],
    },
  ])
  const { messages } = await client.getPrompt({ name: 'guide__sum_up', arguments: { topic: 'fire', lines: '3' } })
  expect(messages[0]!.content).toMatchObject({ text: expect.stringContaining('Sum up fire in 3 lines') })
  await expect(client.getPrompt({ name: 'guide__sum_up' })).rejects.toThrow('topic')
})

describe('a narrowed key', () => {
  async function startNarrow(scopes: (ids: { agent: string; other: string; folder: string }) => object) {
    const app = await startTestChat()
    const drive = driveOf(app)
    const folder = await drive.newFolder('Handbook')
    const other = await app.newAgent({ name: 'Other', knowledge_base_ids: [folder] })
    await app.succeed('PATCH', `/agents/${app.agentId}`, { knowledge_base_ids: [folder] })
    const fields = { name: 'Narrow', role: 'admin', scopes: scopes({ agent: app.agentId, other, folder }) }
    const { key } = (await app.succeed('POST', `/workspaces/${app.owner.workspaceId}/api-keys`, fields)).data
    return { ...app, folder, client: await connectMcp(app.url, key) }
  }
  const namesOf = async (client: Awaited<ReturnType<typeof connectMcp>>) =>
    (await client.listTools()).tools.map(({ name }) => name)

  test('of one agent lists and calls only that, and reaches no folder', async () => {
    const { client, folder } = await startNarrow(({ agent }) => ({ agent_ids: [agent] }))
    expect(await namesOf(client)).toEqual(['guide'])
    await expect(client.callTool({ name: 'other', arguments: { query: 'x' } })).rejects.toThrow('no tool')
    expect((await client.listResources()).resources).toEqual([])
    await expect(client.readResource({ uri: `docent://knowledge-bases/${folder}` })).rejects.toThrow()
  })

  test('of an agent and its folder reads that, too', async () => {
    const { client, folder } = await startNarrow(({ agent, folder }) => ({
      agent_ids: [agent],
      knowledge_base_ids: [folder],
    }))
    expect((await client.listResources()).resources).toHaveLength(1)
    expect((await client.readResource({ uri: `docent://knowledge-bases/${folder}` })).contents).toHaveLength(1)
  })

  test('of some operations can do these and nothing else', async () => {
    const reader = await startNarrow(() => ({ operations: ['agents.list', 'dataSources.*', 'knowledgeBases.*'] }))
    expect(await namesOf(reader.client)).toEqual([])
    const chatter = await startNarrow(({ agent }) => ({ agent_ids: [agent], operations: ['chats.queries.create'] }))
    expect(await namesOf(chatter.client)).toEqual(['guide'])
    const refused = await chatter.client.callTool({ name: 'guide', arguments: { query: 'x' } })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain('may not begin chats')
    const chat_id = chatter.path.split('/').at(-1)!
    expect((await chatter.client.callTool({ name: 'guide', arguments: { query: 'x', chat_id } })).isError).toBeFalsy()
  })
})

test('another organization sees none of it', async () => {
  const { url, agentId, services } = await startTestChat()
  const stranger = await services.access.createOrganization('Stranger')
  const client = await connectMcp(url, stranger.apiKey)
  expect((await client.listTools()).tools).toEqual([])
  const name = `guide_${agentId.slice(-8)}`
  await expect(client.callTool({ name, arguments: { query: 'x' } })).rejects.toThrow('no tool')
})

test('a stop waits for calls that run, and does not wait for clients', async () => {
  const release = Promise.withResolvers<void>()
  const script = () => answer('Be', { until: release.promise }, ' well')
  const { url, owner, model, close } = await startTestChat({ script })
  const client = await connectMcp(url, owner.apiKey)
  const asked = client.callTool({ name: 'guide', arguments: { query: 'Hello?' } })
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), 30_000)
  const closed = close()
  await vi.waitFor(async () => expect((await fetch(`${url}/v1/me`)).status).toBe(503), 30_000)
  release.resolve()
  expect(textOf(await asked)).toContain('Be well')
  await closed
})
