import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { answer, type Step } from '../support/models/model-server.ts'

const propose = (given: Record<string, unknown>): Step => ({ toolCall: { name: 'propose_changes', arguments: given } })

/** A configuration chat whose model makes these proposals, one a turn, and then says that it is done. */
async function startConfiguration(proposals: Record<string, unknown>[], agent: object = {}) {
  const told: any[] = []
  const app = await startTestChat({
    script({ body }) {
      told.push(body)
      const answered = body.messages.filter(({ role }: { role: string }) => role === 'tool').length
      const proposal = proposals[answered]
      return proposal ? answer(propose(proposal)) : answer('Have a look.')
    },
  })
  const agentId = await app.newAgent({ name: 'Porter', instructions: 'SECRET-OLD-INSTRUCTIONS', ...agent })
  const path = await app.newChat({ chat_type: 'configuration' }, agentId)
  return { ...app, agentId, path, told }
}

test('proposes changes, and applies none', async () => {
  const proposal = {
    summary: 'Friendlier, and able to write files.',
    changes: { instructions: 'Be friendly.', tools: ['create_file'] },
    jobs: [{ name: 'Tour', instructions: 'Plan a tour.' }],
    shortcuts: [{ name: 'Plan', prompt: 'Plan for {{group}}', fields: [{ name: 'group' }] }],
  }
  const { stream, succeed, agentId, path, told } = await startConfiguration([proposal])
  const folder = (await succeed('POST', '/knowledge-bases', { knowledge_base_name: 'Handbooks' })).data
  const before = (await succeed('GET', `/agents/${agentId}`)).data
  const events = await (await stream('Make it friendlier', {}, path)).rest()
  const { preview } = events.find(({ subtype }: any) => subtype === 'tool_call_result')!.data
  expect(preview).toMatchObject({ title: 'Proposed changes', content_type: 'json', status: 'completed' })
  expect(JSON.parse(preview.content)).toMatchObject(proposal)
  expect((await succeed('GET', `/agents/${agentId}`)).data).toEqual(before)
  expect((await succeed('GET', `/agents/${agentId}/jobs`)).data.total).toBe(0)

  // The model is told how the agent is, and has nothing of it.
  const system = told[0].messages[0].content
  expect(system).toContain('SECRET-OLD-INSTRUCTIONS')
  expect(system).toContain(folder.id)
  expect(told[0].tools.map((tool: any) => tool.function.name)).toEqual(['propose_changes'])
})

test('what the server would not take reaches the model, which does better', async () => {
  const { stream, path } = await startConfiguration([
    { summary: 'x', changes: { model: 'openai/gpt-5-mini' } },
    { summary: 'x', changes: { knowledge_base_ids: ['000000000000000000000000'] } },
    { summary: 'x', changes: {} },
    { summary: 'Another name', changes: { name: 'Doorman' } },
  ])
  const events = await (await stream('Go on', {}, path)).rest()
  const results = events.filter(({ subtype }: any) => subtype === 'tool_call_result')
  expect(results.map(({ data }: any) => data.preview.status)).toEqual(['error', 'error', 'error', 'completed'])
  expect(results[0]!.data.preview.content).toContain('OPENAI_API_KEY')
})

test('secrets of its servers stay hidden', async () => {
  const { stream, path, told } = await startConfiguration([], {
    mcp_servers: [{ name: 'desk', url: 'https://desk.example/mcp', headers: { authorization: 'Bearer hidden' } }],
  })
  await (await stream('Hello', {}, path)).rest()
  expect(told[0].messages[0].content).toContain('https://desk.example/mcp')
  expect(JSON.stringify(told)).not.toMatch(/hidden|authorization/)
})

test('needs manage_agents, to begin one and to ask in one', async () => {
  const { call, agentId, path, succeed } = await startConfiguration([])
  const { workspace } = (await succeed('GET', '/me')).data
  const { key } = (await succeed('POST', `/workspaces/${workspace.id}/api-keys`, { name: 'Member' })).data
  const begun = await call('POST', `/agents/${agentId}/chats`, { chat_type: 'configuration' }, { key })
  expect(begun).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  const asked = await call('POST', `${path}/query`, { query: 'Hi' }, { key })
  expect(asked).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
})
