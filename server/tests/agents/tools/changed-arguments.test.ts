import { describe, expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { AGENT, CREATE, callThenTell, results, startReviews } from '../../support/chats/reviews.ts'
import { startNewestMcpServer } from '../../support/mcp/mcp-servers.ts'
import { answer } from '../../support/models/model-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const OTHER = { name: 'note.md', content: '# Dear friends' }

async function startWaiting(call: object, agent: object = AGENT, settings = {}) {
  const app = await startReviews(call, { agent, settings })
  const { message_id } = (await app.ask('Write to all', {}, app.path)).body.data
  const at = `${app.path}/message/${message_id}`
  const message = async () => (await app.succeed('GET', `${at}?downloadable_output=true`)).data
  return {
    ...app,
    at,
    message,
    review: (body: object) => app.call('POST', `${at}/review`, body),
    completed: () => app.completed(message_id).then(message),
  }
}

test('an approval with other arguments runs those, and says so wherever the call is shown', async () => {
  const { at, review, completed, url, owner, call, model } = await startWaiting(CREATE)
  expect(await review({ decision: 'approve', arguments: OTHER })).toMatchObject({ status: 200 })
  const done = await completed()
  expect(await (await fetch(done.downloadable_output.file_1)).text()).toBe('# Dear friends')
  const told = `A person allowed this call with other arguments: ${JSON.stringify(OTHER)}\nIts result:\nCreated note.md.`
  expect(results(model.requests.at(-1)!.body)).toEqual([told])
  const wire = await (
    await fetch(`${url}/v1${at}/events?starting_after=-1`, { headers: { 'x-api-key': owner.apiKey } })
  ).text()
  const updates = [...wire.matchAll(/^data: (\{.*)$/gm)]
    .map(([, json]) => JSON.parse(json!))
    .filter(({ type }) => type === 'live_update')
  expect(updates.map(({ subtype, data }) => [subtype, data.arguments])).toEqual([
    ['tool_call_start', CREATE.toolCall.arguments],
    ['tool_call_result', OTHER],
  ])
  const { reviews } = (await call('GET', `/workspaces/${owner.workspaceId}/reviews`)).body.data
  expect(reviews).toMatchObject([
    { status: 'approved', arguments: CREATE.toolCall.arguments, changed_arguments: OTHER },
  ])
  const log = await call('GET', `/workspaces/${owner.workspaceId}/audit-log?action=review.decided`)
  expect(log.body.data.entries[0].details).toMatchObject({
    decision: 'approve',
    changed_arguments: ['name', 'content'],
  })
  expect(JSON.stringify(log.body)).not.toMatch(/note\.md|friends/)
})

test('arguments that the tool does not take are refused, and the review stays open', async () => {
  const { review, message, completed } = await startWaiting(CREATE)
  const refused: [given: object, message: string][] = [
    [{ ...OTHER, contents: '' }, "arguments.contents: is none of the tool's arguments (did you mean content?)"],
    [{ ...OTHER, content: 7 }, 'arguments.content: must be a string, not a number'],
    [{ ...OTHER, name: 7 }, 'arguments.name: must be a string, not a number'],
    [{}, 'arguments.name: is required'],
  ]
  for (const [given, words] of refused)
    expect(await review({ decision: 'approve', arguments: given })).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', message: words },
    })
  expect((await review({ decision: 'approve', arguments: ['a'] })).status).toBe(400)
  expect(await review({ decision: 'reject', arguments: OTHER })).toMatchObject({
    status: 400,
    body: { message: 'arguments: can only be given to approve a tool call' },
  })
  expect(await message()).toMatchObject({ ai_resolution_status: 'waiting', review: { changed_arguments: null } })
  expect((await review({ decision: 'approve', arguments: CREATE.toolCall.arguments })).status).toBe(200)
  expect((await completed()).response).toBe('One moment. \n\nDone: Created letter.md.')
})

test('a question takes no arguments', async () => {
  const { review } = await startWaiting({ toolCall: { name: 'ask_person', arguments: { question: 'Which?' } } })
  expect(await review({ decision: 'answer', note: 'Red', arguments: { question: 'x' } })).toMatchObject({
    status: 400,
    body: { message: 'arguments: can only be given to approve a tool call' },
  })
})

test("a tool of an MCP server is held to the server's schema", async () => {
  const { url } = await startNewestMcpServer()
  const agent = { mcp_servers: [{ name: 'calc', url }], tools_needing_approval: ['calc__*'] }
  const call = { toolCall: { name: 'calc__add', arguments: { a: 2, b: 3 } } }
  const { review, completed } = await startWaiting(call, agent, { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  expect(await review({ decision: 'approve', arguments: { a: 2 } })).toMatchObject({ status: 400 })
  expect(await review({ decision: 'approve', arguments: { a: 2, b: '3' } })).toMatchObject({ status: 400 })
  expect((await review({ decision: 'approve', arguments: { a: 2, b: 40 } })).status).toBe(200)
  expect((await completed()).response).toContain('The sum is 42')
})

test('the call of a sub-agent is changed like one of its caller', async () => {
  const worker = callThenTell(CREATE)
  const app = await startTestChat({
    script: (request, index) => {
      const { body } = request
      if (!body.messages[0].content.startsWith('BOSS')) return worker(request, index)
      if (results(body).length > 0) return answer(`It says: ${results(body).at(-1)}`)
      const { description } = body.tools.find(({ function: f }: any) => f.name === 'call_agent').function
      const agent_id = /- ([0-9a-f]{24}):/.exec(description)![1]!
      return answer({ toolCall: { name: 'call_agent', arguments: { agent_id, query: 'Write' } } })
    },
  })
  const workerId = await app.newAgent({ name: 'Writer', ...AGENT })
  const path = await app.newChat({}, await app.newAgent({ instructions: 'BOSS', sub_agent_ids: [workerId] }))
  const { message_id } = (await app.ask('Write', {}, path)).body.data
  const at = `${path}/message/${message_id}`
  const wrong = await app.call('POST', `${at}/review`, { decision: 'approve', arguments: { content: 'x' } })
  expect(wrong).toMatchObject({ status: 400, body: { message: 'arguments.name: is required' } })
  await app.succeed('POST', `${at}/review`, { decision: 'approve', arguments: OTHER })
  await expect.poll(async () => (await app.succeed('GET', at)).data.ai_resolution_status).toBe('completed')
  const { data } = await app.succeed('GET', `${at}?downloadable_output=true`)
  expect(await (await fetch(data.downloadable_output.file_1)).text()).toBe('# Dear friends')
})

describe.each(STACKS)('on %s', (stack) => {
  test('another process runs what was changed', async () => {
    const { first, again, path } = await startRestartable(callThenTell(CREATE), { stack, agent: AGENT })
    const { message_id } = (await first.call('POST', `${path}/query`, { query: 'Write' })).body.data
    await first.end('SIGKILL')
    const second = await again()
    const at = `${path}/message/${message_id}`
    const wrong = await second.call('POST', `${at}/review`, { decision: 'approve', arguments: { content: 'x' } })
    expect(wrong.status).toBe(400)
    await second.call('POST', `${at}/review`, { decision: 'approve', arguments: OTHER })
    // Whether the run has begun or not: the decision is stored, and the next process carries it out.
    await second.end('SIGKILL')
    const third = await again()
    const message = async () => (await third.call('GET', at)).body.data
    await expect.poll(async () => (await message()).ai_resolution_status, { timeout: 60_000 }).toBe('completed')
    expect((await message()).response).toContain(JSON.stringify(OTHER))
    await third.end('SIGTERM')
  })
})
