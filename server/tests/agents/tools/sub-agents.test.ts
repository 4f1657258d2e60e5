import { expect, test } from 'vitest'
import { addKey } from '../../support/access/keys.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { shapeOf, textOf } from '../../support/chats/events.ts'
import { everyRow } from '../../support/every-row.ts'
import { answer, type Script } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const results = (body: any): string[] =>
  body.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) => content)
const lastResult = (body: any) => results(body).at(-1)!
const instructionsOf = (body: any): string => body.messages[0].content
const callAgent = (agent_id: string, query: string) => ({
  toolCall: { name: 'call_agent', arguments: { agent_id, query } },
})

/** A boss whose model puts the agent to work that its own tool description lists first. */
const delegating =
  (worker: Script): Script =>
  (request, index) => {
    const { body } = request
    if (!instructionsOf(body).startsWith('BOSS')) return worker(request, index)
    if (results(body).length > 0) return answer(`It says: ${lastResult(body)}`)
    const tool = body.tools?.find(({ function: f }: any) => f.name === 'call_agent')
    if (!tool) return answer('I have nobody to ask.')
    return answer(callAgent(/- ([0-9a-f]{24}):/.exec(tool.function.description)![1]!, 'Count the files'))
  }

async function startTeam(worker: Script, workerFields: Record<string, unknown> = {}) {
  const app = await startTestChat({ script: delegating(worker) })
  const workerId = await app.newAgent({
    name: 'Counter',
    instructions: 'WORKER',
    tools: ['list_files'],
    ...workerFields,
  })
  const bossId = await app.newAgent({ name: 'Boss', instructions: 'BOSS', sub_agent_ids: [workerId] })
  return { ...app, workerId, bossId, path: await app.newChat({}, bossId) }
}

const counting: Script = ({ body }) =>
  results(body).length === 0
    ? answer({ toolCall: { name: 'list_files', arguments: {} } })
    : answer('There ', 'are none.')

test('works in the run of its caller: nested updates, one answer, all tokens', async () => {
  const { stream, path, message, workerId, model } = await startTeam(counting)
  const events = await (await stream('How many?', {}, path)).rest()
  expect(shapeOf(events)).toBe('metadata tool_call_start tool_call_result tool_call_end response end_response')
  const updates = events.filter(({ type }) => type === 'live_update')
  expect(updates.map(({ subtype, data }) => [subtype, data.tool_name, data.agent?.name ?? null])).toEqual([
    ['tool_call_start', 'call_agent', null],
    ['tool_call_start', 'list_files', 'Counter'],
    ['tool_call_result', 'list_files', 'Counter'],
    ['tool_call_result', 'call_agent', null],
    ['tool_call_end', 'call_agent', null],
  ])
  const [outer, inner] = updates
  expect(outer!.data.arguments).toEqual({ agent_id: workerId, query: 'Count the files' })
  expect(inner!.data).toMatchObject({
    agent: { id: workerId, name: 'Counter' },
    parent_tool_call_id: outer!.data.tool_call_id,
  })
  expect(updates[3]!.data.preview).toEqual({
    title: 'Counter',
    content: 'There are none.',
    content_type: 'markdown',
    status: 'completed',
  })
  expect(lastResult(model.requests.at(-1)!.body)).toBe('<passage from="Counter">\nThere are none.\n</passage>')
  const stored = await message(events[0]!.data.message_id, path)
  expect(stored.response).toBe(textOf(events))
})

test('the sub-agent hears the task alone, under its own instructions, with its own tools', async () => {
  const { ask, path, model } = await startTeam(counting)
  await ask('A secret of the conversation', {}, path)
  const [, first] = model.requests
  expect(instructionsOf(first!.body)).toContain('WORKER')
  expect(JSON.stringify(first!.body.messages)).not.toContain('secret')
  expect(first!.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'Count the files' })
  expect(first!.body.tools.map((tool: any) => tool.function.name)).toEqual(['list_files'])
})

test('a sub-agent that fails is a failed tool call, and its caller goes on', async () => {
  const { ask, path } = await startTeam(() => ({ status: 400, body: { error: { message: 'no such model' } } }))
  const { status, body } = await ask('How many?', {}, path)
  expect([status, body.data.text]).toEqual([200, expect.stringContaining('It says: ')])
})

test('a review that a sub-agent needs stops the whole run, which goes on from there', async () => {
  const { stream, path, succeed, message, workerId, bossId, model } = await startTeam(counting, {
    tools_needing_approval: ['list_files'],
  })
  const asked = await (await stream('How many?', {}, path)).rest()
  expect(asked.at(-1)).toMatchObject({
    type: 'review_request',
    text: 'May Counter use list_files?',
    data: { review: { asked_by: workerId, agent_id: bossId } },
  })
  const { message_id } = asked[0]!.data
  await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'approve' })
  const stored = async () => message(message_id, path)
  await expect.poll(async () => (await stored()).ai_resolution_status).toBe('completed')
  expect((await stored()).response).toContain('There are none.')
  // Boss, worker; worker and boss again: nobody was asked twice.
  expect(model.requests).toHaveLength(4)
})

test('agents that call each other in a circle come to an end', async () => {
  const seen: string[][] = []
  const script: Script = ({ body }) => {
    const tool = (body.tools ?? []).find(({ function: f }: any) => f.name === 'call_agent')
    const ids = tool ? [...tool.function.description.matchAll(/- ([0-9a-f]{24}):/g)].map(([, id]: any) => id) : []
    seen.push(ids)
    if (results(body).length > 0 || ids.length === 0) return answer('Enough.')
    return answer(callAgent(ids[0], 'Go on'))
  }
  const { newAgent, newChat, succeed, ask } = await startTestChat({ script })
  const a = await newAgent({ name: 'A' })
  const b = await newAgent({ name: 'B', sub_agent_ids: [a] })
  await succeed('PATCH', `/agents/${a}`, { sub_agent_ids: [b, a] })
  const { body } = await ask('Go', {}, await newChat({}, a))
  expect(body.data.text).toBe('Enough.')
  // A may call B; B may not call A, which is at work.
  expect(seen.slice(0, 2)).toEqual([[b], []])
})

test('a chain of agents has a last one', async () => {
  const script: Script = ({ body }) => {
    const tool = (body.tools ?? []).find(({ function: f }: any) => f.name === 'call_agent')
    if (!tool || results(body).length > 0) return answer('The end.')
    return answer(callAgent(/- ([0-9a-f]{24}):/.exec(tool.function.description)![1]!, 'Go on'))
  }
  const { newAgent, newChat, ask, model } = await startTestChat({ script })
  let next = await newAgent({ name: 'Agent 0' })
  for (let i = 1; i <= 8; i++) next = await newAgent({ name: `Agent ${i}`, sub_agent_ids: [next] })
  expect((await ask('Go', {}, await newChat({}, next))).status).toBe(200)
  const names = model.requests.map(({ body }) => /You are (Agent \d)/.exec(instructionsOf(body))![1])
  expect([...new Set(names)]).toEqual(['Agent 8', 'Agent 7', 'Agent 6', 'Agent 5'])
})

test('an agent that calls another where none can be called is told why', async () => {
  const told: string[] = []
  let ids: string[] = []
  const script: Script = ({ body }) => {
    const said = results(body)
    if (said.length > 0) {
      told.push(said[0]!)
      return answer('The end.')
    }
    const place = ids.findIndex((_, index) => instructionsOf(body).includes(`You are Agent ${index}`))
    return answer(callAgent(ids[place - 1] ?? ids.at(-1)!, 'Go on'))
  }
  const { newAgent, newChat, succeed, ask } = await startTestChat({ script })
  for (let i = 0; i < 5; i++) ids.push(await newAgent({ name: `Agent ${i}`, sub_agent_ids: ids.slice(-1) }))
  await ask('Go', {}, await newChat({}, ids[4]))
  expect(told[0]).toContain('4 agents in a row is the most')

  told.length = 0
  ids = ids.slice(0, 2)
  await succeed('PATCH', `/agents/${ids[0]}`, { sub_agent_ids: [ids[1]] })
  await ask('Go', {}, await newChat({}, ids[1]))
  expect(told[0]).toContain('are at work already')
})

test('what is not there cannot be a sub-agent', async () => {
  const { call } = await startTestChat()
  await everyRow(
    [
      ['an unknown one', 'f'.repeat(24)],
      ['no id at all', 'Counter'],
    ],
    async (_what, id) => {
      const { status, body } = await call('POST', '/agents', { name: 'Boss', sub_agent_ids: [id] })
      expect([status, body.error_code]).toEqual([404, 'AGENT_NOT_FOUND'])
    },
  )
})

test('a sub-agent of another organization, or private to another workspace, is none', async () => {
  const { call, services, owner, newAgent } = await startTestChat()
  const other = await services.access.createOrganization('Other')
  const foreign = await newAgent({ name: 'Foreign' }, other.apiKey)
  const { workspaceId } = await services.access.createWorkspace(owner.organizationId, 'Second')
  const key = await addKey({ services, owner: { ...owner, workspaceId } }, { role: 'owner' })
  const hidden = await newAgent({ name: 'Hidden' }, key)
  const shown = await newAgent({ name: 'Shown', visibility: 'organization' }, key)
  for (const id of [foreign, hidden])
    expect((await call('POST', '/agents', { name: 'Boss', sub_agent_ids: [id] })).status).toBe(404)
  const made = await call('POST', '/agents', { name: 'Boss', sub_agent_ids: [shown, shown] })
  expect(made.body.data.sub_agent_ids).toEqual([shown])
})

test('a sub-agent that was deleted is not offered any more', async () => {
  const { ask, path, call, workerId, model } = await startTeam(counting)
  await call('DELETE', `/agents/${workerId}`)
  expect((await ask('How many?', {}, path)).body.data.text).toBe('I have nobody to ask.')
  expect(model.requests[0]!.body.tools).toBeUndefined()
})
