import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError } from '../support/api.ts'
import { makeAgent, makeKey, newConversation } from '../support/make.ts'
import { startReceiver } from '../support/receiver.ts'
import { called, scripted } from '../support/tests.ts'
import { anId, aTime, freshId, malformedIds, unique } from '../support/values.ts'

let talk: Awaited<ReturnType<typeof newConversation>>
let path: string
beforeAll(async () => {
  talk = await newConversation({ tools: ['create_file', 'list_files'], instructions: 'Be an agent.' })
  path = `/agents/${talk.agent.id}`
})

const makeJob = async (fields: object = {}) =>
  dataOf(await api.post(`${path}/jobs`, { name: unique('job'), ...fields }))
const makeShortcut = async (fields: object = {}) =>
  dataOf(await api.post(`${path}/shortcuts`, { name: unique('shortcut'), prompt: 'say x', ...fields }))

describe.each([
  ['jobs', 'JOB_NOT_FOUND', makeJob],
  ['shortcuts', 'SHORTCUT_NOT_FOUND', makeShortcut],
] as const)('%s', (kind, notFound, make) => {
  test('are made with an id, their agent and their times', async () => {
    expect(await make()).toMatchObject({ id: anId, agent_id: talk.agent.id, created_at: aTime, updated_at: aTime })
  })

  test(`are listed as {${kind}, total, page, page_size, has_more}`, async () => {
    const made = await make()
    const data = dataOf(await api.get(`${path}/${kind}?page_size=100`))
    expect(data).toMatchObject({ total: expect.any(Number), page: 1, page_size: 100, has_more: expect.any(Boolean) })
    expect(data[kind]).toContainEqual(made)
  })

  test('are had by their id', async () => {
    const made = await make()
    expect(dataOf(await api.get(`${path}/${kind}/${made.id}`))).toEqual(made)
  })

  test('are changed in what is named', async () => {
    const made = await make()
    const name = unique()
    const changed = dataOf(await api.patch(`${path}/${kind}/${made.id}`, { name }))
    expect(changed).toEqual({ ...made, name, updated_at: aTime })
  })

  test(`are deleted, and ${notFound} from then on`, async () => {
    const { id } = await make()
    expect((await api.delete(`${path}/${kind}/${id}`)).status).toBe(200)
    expectError(await api.get(`${path}/${kind}/${id}`), 404, notFound)
  })

  test('an id that is not there is 404', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) => {
      expectError(await api.get(`${path}/${kind}/${id}`), 404, notFound)
      expectError(await api.patch(`${path}/${kind}/${id}`, {}), 404, notFound)
      expectError(await api.delete(`${path}/${kind}/${id}`), 404, notFound)
    }))

  test('of another agent are 404', async () => {
    const { id } = await make()
    const { id: agentId } = await makeAgent()
    expectError(await api.get(`/agents/${agentId}/${kind}/${id}`), 404, notFound)
  })

  test('with a wrong name are 400', () =>
    everyRow(
      [
        ['no name', { name: undefined }],
        ['an empty name', { name: '' }],
        ['a name of 257 characters', { name: 'x'.repeat(257) }],
      ],
      async (_, fields) => {
        expectError(
          await api.post(`${path}/${kind}`, Object.assign({ name: 'n', prompt: 'p' }, fields)),
          400,
          'VALIDATION_ERROR',
        )
      },
    ))

  test('are made by those who hold manage_agents', async () => {
    const member = apiOf((await makeKey({})).key)
    const theirs = apiOf((await makeKey({ permissions: ['manage_agents'] })).key)
    const body = { name: 'n', ...(kind === 'shortcuts' && { prompt: 'p' }) }
    expectError(await member.post(`${path}/${kind}`, body), 403, 'FORBIDDEN')
    expect((await theirs.post(`${path}/${kind}`, body)).status).toBe(200)
  })
})

describe('a query with a job', () => {
  scripted("gives the model the job's instructions", async () => {
    const { id } = await makeJob({ instructions: 'Summarise in French.' })
    expect((await talk.answer('echo', { job_id: id })).text).toContain('Summarise in French.')
    expect((await talk.answer('echo')).text.split('Summarise in French.').length).toBeLessThanOrEqual(3)
  })

  scripted("narrows the agent to the job's tools", async () => {
    const { id } = await makeJob({ tools: ['list_files'] })
    expect(JSON.parse((await talk.answer('echo')).text).tools.sort()).toEqual(['create_file', 'list_files'])
    expect(JSON.parse((await talk.answer('echo', { job_id: id })).text).tools).toEqual(['list_files'])
  })

  scripted('a job of another agent is 404 JOB_NOT_FOUND', async () => {
    const other = await newConversation()
    expectError(await other.ask('say x', { job_id: (await makeJob()).id }), 404, 'JOB_NOT_FOUND')
  })
})

const FIELDS = [
  { name: 'topic', type: 'text', required: true },
  { name: 'count', type: 'number', required: false },
  { name: 'tone', type: 'select', required: false, options: ['warm', 'cool'] },
]
const values = (fields: Record<string, string | number>) =>
  Object.entries(fields).map(([field_name, field_value]) => ({ field_name, field_value }))
const run = (id: string, fields: Record<string, string | number>, more: object = {}) =>
  api.post(`${talk.path}/query`, { shortcut_id: id, shortcut_fields_with_values: values(fields), ...more })
const withFields = () => makeShortcut({ prompt: 'say {{topic}}/{{count}}/{{tone}}', fields: FIELDS })

describe('a query with a shortcut', () => {
  scripted('needs no query, and renders the prompt from the values', async () => {
    const { id } = await withFields()
    expect(dataOf(await run(id, { topic: 'birds', count: 3, tone: 'warm' })).text).toBe('birds/3/warm')
  })

  scripted('leaves the place of a field that was left out empty', async () => {
    const { id } = await withFields()
    expect(dataOf(await run(id, { topic: 'birds' })).text).toBe('birds//')
  })

  scripted('a number may come as digits', async () => {
    const { id } = await withFields()
    expect(dataOf(await run(id, { topic: 'birds', count: '4.5' })).text).toBe('birds/4.5/')
  })

  scripted('a place inside a value stays text', async () => {
    const { id } = await withFields()
    expect(dataOf(await run(id, { topic: '{{tone}}', tone: 'cool' })).text).toBe('{{tone}}//cool')
  })

  test('wrong values of fields are 400 and named', async () => {
    const { id } = await withFields()
    await everyRow(
      [
        ['a required field that is missing', {}, 'topic'],
        ['a required field that is blank', { topic: ' ' }, 'topic'],
        ['a number that is none', { topic: 'x', count: 'many' }, 'count'],
        ['a choice that is not among the options', { topic: 'x', tone: 'hot' }, 'tone'],
        ['an unknown field', { topic: 'x', colour: 'blue' }, 'colour'],
      ] as [string, Record<string, string>, string][],
      async (_, fields, name) => expectError(await run(id, fields), 400, 'VALIDATION_ERROR', new RegExp(name)),
    )
  })

  test('a field given twice is 400 and named', async () => {
    const { id } = await withFields()
    const twice = [...values({ topic: 'a' }), ...values({ topic: 'b' })]
    const reply = await run(id, {}, { shortcut_fields_with_values: twice })
    expectError(reply, 400, 'VALIDATION_ERROR', /topic/)
  })

  test('shows as quick_action_id and quick_action_fields_with_values, in the message and in the history', async () => {
    const { id } = await withFields()
    const own = await newShortcutChat()
    const fields = values({ topic: 'birds', count: 3 })
    const { message_id } = dataOf(
      await api.post(`${own}/query`, { shortcut_id: id, shortcut_fields_with_values: fields }),
    )
    const expected = { quick_action_id: id, quick_action_fields_with_values: fields }
    expect(dataOf(await api.get(`${own}/message/${message_id}`))).toMatchObject(expected)
    expect(dataOf(await api.get(`${own}/messages`)).messages[0]).toMatchObject(expected)
  })

  called('shows in the webhook', async () => {
    const { id } = await withFields()
    const receiver = await startReceiver()
    const fields = values({ topic: 'birds' })
    const body = { shortcut_id: id, shortcut_fields_with_values: fields, webhook_url: receiver.url }
    dataOf(await api.post(`${talk.path}/async_query`, body))
    expect((await receiver.delivery()).body.data).toMatchObject({
      quick_action_id: id,
      quick_action_fields_with_values: fields,
    })
  })

  scripted("runs with the shortcut's job", async () => {
    const job = await makeJob({ instructions: 'Count to ten.' })
    const { id } = await makeShortcut({ prompt: 'echo', job_id: job.id })
    expect(dataOf(await run(id, {})).text).toContain('Count to ten.')
  })

  test('of another agent is 404 SHORTCUT_NOT_FOUND', async () => {
    const other = await newConversation()
    const { id } = await makeShortcut()
    expectError(await api.post(`${other.path}/query`, { shortcut_id: id }), 404, 'SHORTCUT_NOT_FOUND')
  })
})

const newShortcutChat = async () => `${path}/chats/${dataOf(await api.post(`${path}/chats`)).chat.id}`

describe('making a shortcut', () => {
  test('keeps its fields as they were given', async () => {
    expect((await withFields()).fields).toMatchObject(FIELDS)
  })

  test('wrong fields of a shortcut are 400', () =>
    everyRow(
      [
        ['no prompt', { prompt: undefined }],
        ['a blank prompt', { prompt: ' ' }],
        ['a select without options', { fields: [{ name: 'a', type: 'select' }] }],
        ['a field of an unknown type', { fields: [{ name: 'a', type: 'date' }] }],
        ['a field without a name', { fields: [{ type: 'text' }] }],
        ['two fields of one name', { fields: [{ name: 'a' }, { name: 'a' }] }],
        ['a number as prompt', { prompt: 1 }],
        ['required "yes"', { fields: [{ name: 'a', required: 'yes' }] }],
      ],
      async (_, fields) => {
        const body = { name: 'n', prompt: 'p', ...fields }
        expectError(await api.post(`${path}/shortcuts`, body), 400, 'VALIDATION_ERROR')
      },
    ))

  test('with an unknown job is 404 JOB_NOT_FOUND', async () => {
    const body = { name: 'n', prompt: 'p', job_id: freshId() }
    expectError(await api.post(`${path}/shortcuts`, body), 404, 'JOB_NOT_FOUND')
  })
})

test('wrong fields of a job are 400', () =>
  everyRow(
    [
      ['an unknown tool', { tools: ['fly'] }],
      ['a number as instructions', { instructions: 1 }],
    ],
    async (_, fields) => expectError(await api.post(`${path}/jobs`, { name: 'n', ...fields }), 400, 'VALIDATION_ERROR'),
  ))
