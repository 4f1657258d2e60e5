import { expect, test } from 'vitest'
import { insertKey } from '../../src/access/access.store.ts'
import { hashApiKey, newApiKey, prefixOf } from '../../src/access/keys/api-key.ts'
import { insertWorkspace } from '../../src/access/organizations.store.ts'
import { addKey } from '../support/access/keys.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const invalid = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }
const notFound = { status: 404, body: { error_code: 'AGENT_NOT_FOUND' } }
const forbidden = { status: 403, body: { error_code: 'FORBIDDEN' } }

async function start() {
  const app = await startTestApp()
  const drive = driveOf(app)
  const create = async (fields: Record<string, unknown> = {}) =>
    (await drive.succeed('POST', '/agents', { name: 'Guide', ...fields })).data
  const list = async (query = '') => (await drive.succeed('GET', `/agents?${query}`)).data
  return { ...app, ...drive, create, list }
}

/** An owner's key of a second workspace in the same organization. */
async function secondWorkspace({ services, owner }: TestApp): Promise<string> {
  const key = newApiKey()
  const id = services.newId()
  const createdAt = services.clock().toISOString()
  await services.db.transaction().execute(async (tx) => {
    await insertWorkspace(tx, owner.organizationId, { id, name: 'Second', createdAt })
    await insertKey(tx, owner.organizationId, {
      id: services.newId(),
      workspaceId: id,
      name: 'Second',
      prefix: prefixOf(key),
      hash: hashApiKey(key),
      role: 'owner',
      permissions: [],
      expiresAt: null,
      createdAt,
    })
  })
  return key
}

test('an agent needs a name only, and gets defaults for the rest', async () => {
  const { create, call } = await start()
  const agent = await create({ name: '  Guide ' })
  expect(agent).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'Guide',
    description: '',
    instructions: '',
    model: null,
    knowledge_base_ids: [],
    tools: [],
    visibility: 'private',
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  })
  expect((await call('GET', `/agents/${agent.id}`)).body).toEqual({ data: agent })
})

test('wrong fields are refused, at creation and in a change', async () => {
  const { call, create } = await start()
  await everyRow(
    [
      ['no name', { name: undefined }],
      ['a blank name', { name: ' ' }],
      ['a name that is null', { name: null }],
      ['a name of 257 characters', { name: 'x'.repeat(257) }],
      ['a description of 2,001 characters', { description: 'x'.repeat(2001) }],
      ['instructions of 100,001 characters', { instructions: 'x'.repeat(100_001) }],
      ['instructions that are null', { instructions: null }],
      ['a model without a provider', { model: 'gpt-5' }],
      ['a model of an unknown provider', { model: 'nobody/model' }],
      ['a model of a provider that is not set up', { model: 'openai/gpt-5' }],
      ['an unknown model of ours', { model: 'builtin/nothing' }],
      ['folders that are no list', { knowledge_base_ids: 'x' }],
      ['101 folders', { knowledge_base_ids: Array.from({ length: 101 }, () => UNKNOWN_ID) }],
      ['an unknown tool', { tools: ['rm'] }],
      ['an unknown visibility', { visibility: 'secret' }],
    ],
    async (_name, fields) => {
      expect(await call('POST', '/agents', { name: 'Guide', ...fields })).toMatchObject(invalid)
      const { id } = await create()
      if (!('name' in fields && fields.name === undefined)) {
        expect(await call('PATCH', `/agents/${id}`, fields)).toMatchObject(invalid)
      }
    },
  )
})

test('folders that do not exist, were deleted, or are of another organization are not found', async () => {
  const { call, services, newFolder } = await start()
  const deleted = await newFolder('Gone')
  await call('DELETE', `/knowledge-bases/${deleted}`)
  const other = await services.access.createOrganization('Other')
  const theirs = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'T' }, { key: other.apiKey })).body.data
    .id
  for (const id of [UNKNOWN_ID, 'x', deleted, theirs]) {
    const reply = await call('POST', '/agents', { name: 'Guide', knowledge_base_ids: [id] })
    expect(reply).toMatchObject({ status: 404, body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' } })
  }
})

test('a change touches what it names and nothing else', async () => {
  const { create, succeed, newFolder } = await start()
  const knowledge_base_ids = [await newFolder('A')]
  const before = await create({ description: 'd', instructions: 'i', knowledge_base_ids, tools: ['list_files'] })
  const { data } = await succeed('PATCH', `/agents/${before.id}`, { name: 'New' })
  expect(data).toEqual({ ...before, name: 'New', updated_at: data.updated_at })
  expect(Date.parse(data.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at))
  const cleared = { description: '', instructions: '', knowledge_base_ids: [], tools: null, visibility: 'public' }
  expect((await succeed('PATCH', `/agents/${before.id}`, cleared)).data).toMatchObject({ ...cleared, tools: [] })
  expect((await succeed('PATCH', `/agents/${before.id}`, {})).data.name).toBe('New')
})

test('agents are listed newest first, in pages, and found by a part of their name', async () => {
  const { create, list } = await start()
  for (const name of ['Alpha', 'Beta', 'alphabet', '100%']) await create({ name })
  const names = async (query = '') => (await list(query)).agents.map((agent: any) => agent.name)
  expect(await names()).toEqual(['100%', 'alphabet', 'Beta', 'Alpha'])
  expect(await names('search=ALPHA')).toEqual(['alphabet', 'Alpha'])
  expect(await names('search=%25')).toEqual(['100%'])
  expect(await list('page=2&page_size=3')).toMatchObject({ total: 4, page: 2, page_size: 3, has_more: false })
  expect(await names('page=2&page_size=3')).toEqual(['Alpha'])
  expect(await list('page=1&page_size=3')).toMatchObject({ has_more: true })
})

test('a deleted agent is gone', async () => {
  const { create, call, list } = await start()
  const { id } = await create()
  expect(await call('DELETE', `/agents/${id}`)).toMatchObject({ status: 200, body: { data: { deleted: true } } })
  expect(await call('GET', `/agents/${id}`)).toMatchObject(notFound)
  expect(await call('PATCH', `/agents/${id}`, { name: 'x' })).toMatchObject(notFound)
  expect(await call('DELETE', `/agents/${id}`)).toMatchObject(notFound)
  expect((await list()).total).toBe(0)
})

test('a member may use agents, and manage them only with the permission', async () => {
  const { create, call, ...app } = await start()
  const { id } = await create()
  const [user, manager] = [
    await addKey(app, { role: 'member' }),
    await addKey(app, { role: 'member', permissions: ['manage_agents'] }),
  ]
  const admin = await addKey(app, { role: 'admin' })
  expect((await call('GET', `/agents/${id}`, undefined, { key: user })).status).toBe(200)
  expect((await call('POST', `/agents/${id}/chats`, {}, { key: user })).status).toBe(200)
  for (const [method, path, fields] of [
    ['POST', '/agents', { name: 'x' }],
    ['PATCH', `/agents/${id}`, { name: 'x' }],
    ['DELETE', `/agents/${id}`, undefined],
  ] as const) {
    expect(await call(method, path, fields, { key: user })).toMatchObject(forbidden)
  }
  for (const key of [manager, admin]) {
    expect((await call('PATCH', `/agents/${id}`, { name: 'x' }, { key })).status).toBe(200)
  }
})

test('an agent that another workspace lets one use is not one’s own to change', async () => {
  const { create, call, ...app } = await start()
  const key = await secondWorkspace({ ...app, call } as TestApp)
  const { id } = await create({ name: 'shared', visibility: 'organization' })
  const job = (await call('POST', `/agents/${id}/jobs`, { name: 'Job' })).body.data.id
  for (const [method, path, body] of [
    ['PATCH', '', { instructions: 'Say nothing' }],
    ['POST', '/jobs', { name: 'Theirs' }],
    ['PATCH', `/jobs/${job}`, { name: 'Theirs' }],
    ['DELETE', `/jobs/${job}`],
    ['POST', '/shortcuts', { name: 'Theirs', prompt: 'Hi' }],
    ['POST', '/mcp-servers/actions/check', { name: 'crm' }],
    ['DELETE', ''],
  ] as const) {
    expect(await call(method, `/agents/${id}${path}`, body, { key }), `${method} ${path}`).toMatchObject(forbidden)
  }
  expect((await call('GET', `/agents/${id}/jobs`, undefined, { key })).status).toBe(200)
  const { data: seen } = (await call('GET', `/agents/${id}`, undefined, { key })).body
  expect(seen).toMatchObject({ workspace_id: app.owner.workspaceId, instructions: '' })
})

test('a private agent is of its workspace only, the others are of the whole organization', async () => {
  const { create, call, list, ...app } = await start()
  const key = await secondWorkspace({ ...app, call } as TestApp)
  const [own, shared, open] = [
    await create({ name: 'own' }),
    await create({ name: 'shared', visibility: 'organization' }),
    await create({ name: 'open', visibility: 'public' }),
  ]
  expect(await call('GET', `/agents/${own.id}`, undefined, { key })).toMatchObject(notFound)
  expect(await call('POST', `/agents/${own.id}/chats`, {}, { key })).toMatchObject(notFound)
  for (const { id } of [shared, open]) {
    expect((await call('GET', `/agents/${id}`, undefined, { key })).status).toBe(200)
    expect((await call('POST', `/agents/${id}/chats`, {}, { key })).status).toBe(200)
  }
  const { body } = await call('GET', '/agents', undefined, { key })
  expect(body.data.agents.map((agent: any) => agent.name)).toEqual(['open', 'shared'])
  expect((await list()).total).toBe(3)
})
