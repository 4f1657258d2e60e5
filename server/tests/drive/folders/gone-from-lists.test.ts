import { expect, test } from 'vitest'
import { addKey } from '../../support/access/keys.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { shareTestApps, startTestApp, type TestApp } from '../../support/test-app.ts'

shareTestApps()

/** Starts a server without background work: deleted items leave lists at once, not when their rows are removed. */
async function start() {
  const app = await startTestApp({}, { work: false })
  const drive = driveOf(app)
  const newAgent = async (name: string, fields: object = {}) =>
    (await drive.succeed('POST', '/agents', { name, ...fields })).data
  return { ...app, ...drive, newAgent }
}

/** Changes one field of what was just read, as a client does. */
async function sendBack({ call }: Pick<TestApp, 'call'>, id: string) {
  const { knowledge_base_ids, sub_agent_ids } = (await call('GET', `/agents/${id}`)).body.data
  const reply = await call('PATCH', `/agents/${id}`, { knowledge_base_ids, sub_agent_ids })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return { knowledge_base_ids, sub_agent_ids }
}

test('a deleted folder, and all below it, leaves the agents that had it', async () => {
  const { newFolder, newAgent, succeed, ...app } = await start()
  const kept = await newFolder('Kept')
  const top = await newFolder('Top')
  const below = await newFolder('Below', top)
  const { id } = await newAgent('A', { knowledge_base_ids: [below, kept, top] })
  await succeed('DELETE', `/knowledge-bases/${top}`)
  expect((await succeed('GET', '/agents')).data.agents[0].knowledge_base_ids).toEqual([kept])
  expect((await sendBack(app, id)).knowledge_base_ids).toEqual([kept])
})

test('a folder that is no longer shared leaves the agents of those who could read it', async () => {
  const { newFolder, succeed, call, services } = await start()
  const { organizationId, apiKey } = await services.access.createOrganization('Reader')
  const reader = { call: ((...[method, path, body]) => call(method, path, body, { key: apiKey })) as typeof call }
  const theirs = driveOf(reader)
  const shared = await newFolder('Shared')
  await succeed('POST', `/knowledge-bases/${shared}/shares`, { organization_id: organizationId })
  const own = await theirs.newFolder('Own')
  const { id } = (await theirs.succeed('POST', '/agents', { name: 'A', knowledge_base_ids: [shared, own] })).data
  expect((await sendBack(reader, id)).knowledge_base_ids).toEqual([shared, own])
  await succeed('DELETE', `/knowledge-bases/${shared}/shares/${organizationId}`)
  expect((await sendBack(reader, id)).knowledge_base_ids).toEqual([own])
})

test('a deleted agent leaves those that could call it', async () => {
  const { newAgent, succeed, ...app } = await start()
  const [one, other] = [await newAgent('One'), await newAgent('Other')]
  const { id } = await newAgent('Boss', { sub_agent_ids: [one.id, other.id] })
  await succeed('DELETE', `/agents/${one.id}`)
  expect((await sendBack(app, id)).sub_agent_ids).toEqual([other.id])
})

test('an agent that its workspace hides leaves the agents of others', async () => {
  const { newAgent, succeed, call, services, owner } = await start()
  const { workspaceId } = await services.access.createWorkspace(owner.organizationId, 'Other')
  const key = await addKey({ services, owner: { ...owner, workspaceId } }, { role: 'admin' })
  const theirs = { call: ((...[method, path, body]) => call(method, path, body, { key })) as typeof call }
  const helper = await newAgent('Helper', { visibility: 'organization' })
  const { id } = (await theirs.call('POST', '/agents', { name: 'Boss', sub_agent_ids: [helper.id] })).body.data
  await succeed('PATCH', `/agents/${helper.id}`, { visibility: 'private' })
  expect((await sendBack(theirs, id)).sub_agent_ids).toEqual([])
})

test('deleted folders and agents leave the scopes of keys, which stay bound', async () => {
  const { newFolder, newAgent, succeed, call, owner } = await start()
  const folder = await newFolder('Folder')
  const agent = await newAgent('Agent')
  const scopes = { knowledge_base_ids: [folder], agent_ids: [agent.id], operations: ['me.get', 'agents.*'] }
  const keys = `/workspaces/${owner.workspaceId}/api-keys`
  const made = (await succeed('POST', keys, { name: 'Narrow', role: 'admin', scopes })).data
  expect(made.scopes).toEqual(scopes)
  await succeed('DELETE', `/knowledge-bases/${folder}`)
  await succeed('DELETE', `/agents/${agent.id}`)
  const left = { ...scopes, knowledge_base_ids: [], agent_ids: [] }
  const listed = (await succeed('GET', keys)).data.api_keys.find(({ id }: { id: string }) => id === made.id)
  expect(listed.scopes).toEqual(left)
  const asNarrow = { key: made.key }
  expect((await call('GET', '/me', undefined, asNarrow)).body.data.key.scopes).toEqual(left)
  await newAgent('Another')
  expect((await call('GET', '/agents', undefined, asNarrow)).body.data.agents).toEqual([])
})
