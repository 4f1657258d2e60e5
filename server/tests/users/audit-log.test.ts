import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adminCommands } from '../../src/admin/commands.ts'
import { toConfig } from '../../src/config.ts'
import { addKey } from '../support/access/keys.ts'
import { join as joinWorkspace } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { databaseSettings } from '../support/database/database.ts'
import { UNKNOWN_ID } from '../support/drive/drive.ts'
import { answer, type Script } from '../support/models/model-server.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const id = expect.stringMatching(/^[0-9a-f]{24}$/)
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

async function start(settings: Record<string, string> = {}) {
  const app = await startTestApp(settings)
  const { call, owner } = app
  const workspace = `/workspaces/${owner.workspaceId}`
  const log = async (query = '', key?: string) =>
    (await call('GET', `${workspace}/audit-log?${query}`, undefined, { key })).body.data
  /** Recorded actions since the start of the test, newest first. */
  const actions = async (query = '') => (await log(query)).entries.map(({ action }: any) => action)
  return { ...app, workspace, log, actions }
}

test('what is done to keys, secrets, folders, shares and people is recorded', async () => {
  const { call, workspace, actions, services } = await start()
  const other = await services.access.createOrganization('Other')
  const key = (await call('POST', `${workspace}/api-keys`, { name: 'Website' })).body.data
  await call('DELETE', `${workspace}/api-keys/${key.id}`)
  await call('POST', `${workspace}/webhook-secret/rotate`)
  const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'Handbooks' })).body.data
  await call('PATCH', `/knowledge-bases/${folder.id}`, { knowledge_base_name: 'Books' })
  const shares = `/knowledge-bases/${folder.id}/shares`
  await call('POST', shares, { organization_id: other.organizationId })
  await call('DELETE', `${shares}/${other.organizationId}`)
  await call('DELETE', `/knowledge-bases/${folder.id}`)
  const people = `${workspace}/virtual-users`
  const person = (await call('POST', people, { email: 'ada@example.com', name: 'Ada' })).body.data
  await call('DELETE', `${people}/${person.id}`)
  await call('POST', `${people}/${person.id}/erase`)
  expect(await actions()).toEqual([
    'virtual_user.erased',
    'virtual_user.deleted',
    'knowledge_base.deleted',
    'knowledge_base.unshared',
    'knowledge_base.shared',
    'knowledge_base.updated',
    'knowledge_base.created',
    'webhook_secret.rotated',
    'api_key.revoked',
    'api_key.created',
    'organization.created',
  ])
})

test('what is done to agents, jobs and shortcuts is recorded: which fields changed, never what they hold', async () => {
  const { call, actions, log } = await start()
  const secret = 'Never tell anybody of the red door'
  const { id } = (await call('POST', '/agents', { name: 'Guide', instructions: secret })).body.data
  await call('PATCH', `/agents/${id}`, { name: 'Guide' })
  await call('PATCH', `/agents/${id}`, { name: 'Scout', instructions: `${secret}!`, limits: { max_steps: 3 } })
  await call('PATCH', `/agents/${id}`, { visibility: 'organization' })
  const job = (await call('POST', `/agents/${id}/jobs`, { name: 'Summaries' })).body.data.id
  await call('PATCH', `/agents/${id}/jobs/${job}`, { name: 'Short summaries' })
  const shortcut = (await call('POST', `/agents/${id}/shortcuts`, { name: 'Greet', prompt: 'Hi' })).body.data.id
  await call('PATCH', `/agents/${id}/shortcuts/${shortcut}`, { prompt: 'Hello' })
  await call('DELETE', `/agents/${id}/shortcuts/${shortcut}`)
  await call('DELETE', `/agents/${id}/jobs/${job}`)
  await call('DELETE', `/agents/${id}`)
  expect(await actions()).toEqual([
    'agent.deleted',
    'job.deleted',
    'shortcut.deleted',
    'shortcut.updated',
    'shortcut.created',
    'job.updated',
    'job.created',
    'agent.visibility_changed',
    'agent.updated',
    'agent.updated',
    'agent.created',
    'organization.created',
  ])
  const ofAgent = (await log(`target_id=${id}`)).entries
  expect(ofAgent.map(({ details }: any) => details)).toEqual([
    { visibility: 'organization' },
    { from: 'private', to: 'organization' },
    { changed: ['visibility'] },
    { changed: ['name', 'instructions', 'limits'] },
    { visibility: 'private' },
  ])
  expect((await log(`target_id=${job}`)).entries[0]).toMatchObject({
    target: { type: 'job', name: 'Short summaries' },
    details: { agent_id: id },
  })
  expect(JSON.stringify((await log()).entries)).not.toContain('red door')
})

test('a decision about what a run waits for is recorded, without what was decided about', async () => {
  const script: Script = ({ body }) =>
    body.messages.some(({ role }: any) => role === 'tool')
      ? answer('Written.')
      : answer({ toolCall: { name: 'create_file', arguments: { name: 'letter.md', content: 'Dear all' } } })
  const { newAgent, newChat, ask, call, succeed, owner } = await startTestChat({ script })
  const path = await newChat({}, await newAgent({ tools: ['create_file'], tools_needing_approval: ['create_file'] }))
  const { message_id } = (await ask('Write to all', {}, path)).body.data
  await succeed('POST', `${path}/message/${message_id}/review`, { decision: 'approve', note: 'Go on' })
  const { body } = await call('GET', `/workspaces/${owner.workspaceId}/audit-log?action=review.decided`)
  expect(body.data.entries).toMatchObject([
    {
      target: { type: 'message', id: message_id, name: null },
      details: { decision: 'approve', kind: 'approval', tool_name: 'create_file', agent_id: path.split('/')[2] },
    },
  ])
  expect(JSON.stringify(body.data.entries)).not.toMatch(/letter|Dear|Go on/)
})

test('an entry says who did what to what, in which request, and from where', async () => {
  const { call, workspace, log } = await start()
  const { key } = (await call('GET', '/me')).body.data
  const headers = { 'x-request-id': 'my-request-1' }
  const wanted = { name: 'Website', permissions: ['manage_agents'] }
  const made = (await call('POST', `${workspace}/api-keys`, wanted, { headers })).body.data
  const { entries } = await log('action=api_key.created')
  expect(entries).toEqual([
    {
      id,
      action: 'api_key.created',
      workspace_id: workspace.split('/')[2],
      actor: { type: 'api_key', api_key_id: key.id, api_key_name: 'Owner', member_id: null },
      target: { type: 'api_key', id: made.id, name: 'Website' },
      details: { role: 'member', permissions: ['manage_agents'], scopes: null, expires_at: null, rate_limit: null },
      request_id: 'my-request-1',
      ip: '127.0.0.1',
      created_at: timestamp,
    },
  ])
  expect(JSON.stringify(entries)).not.toContain(made.key)
})

test('where a request came from is what a proxy says, if that proxy is trusted', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' }
  const ipOf = async (settings: Record<string, string>) => {
    const { call, workspace, log } = await start(settings)
    await call('POST', `${workspace}/webhook-secret/rotate`, undefined, { headers })
    return (await log('action=webhook_secret.rotated')).entries[0].ip
  }
  expect(await ipOf({})).toBe('127.0.0.1')
  expect(await ipOf({ DOCENT_TRUSTED_PROXIES: '10.0.0.0/8' })).toBe('127.0.0.1')
  // The proxy adds the last entry; clients can forge the ones before it.
  expect(await ipOf({ DOCENT_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' })).toBe('203.0.113.7')
})

test('what is read, refused or changes nothing is not recorded', async () => {
  const { call, workspace, log } = await start()
  const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'Handbooks' })).body.data
  const before = (await log()).total
  await call('GET', '/knowledge-bases')
  await call('PATCH', `/knowledge-bases/${folder.id}`, { knowledge_base_name: 'Handbooks' })
  await call('POST', '/knowledge-bases', { knowledge_base_name: 'handbooks' })
  await call('DELETE', `/knowledge-bases/${UNKNOWN_ID}`)
  await call('DELETE', `${workspace}/api-keys/${UNKNOWN_ID}`)
  await call('POST', `/knowledge-bases/${folder.id}/shares`, { organization_id: UNKNOWN_ID })
  expect((await log()).total).toBe(before)
})

test('what several delete at once is deleted, and recorded, once', async () => {
  const { call, workspace, log } = await start()
  const made = async (path: string, body: object) => `${path}/${(await call('POST', path, body)).body.data.id}`
  const agent = await made('/agents', { name: 'Guide', visibility: 'public' })
  const things = [
    await made(`${agent}/jobs`, { name: 'Summary' }),
    await made(`${agent}/shortcuts`, { name: 'Today', prompt: 'What is new?' }),
    await made(`${agent}/links`, {}),
    await made(`${workspace}/virtual-users`, { email: 'ada@example.com' }),
    await made('/knowledge-bases', { knowledge_base_name: 'Handbooks' }),
    await made(`${workspace}/api-keys`, { name: 'Website', role: 'member' }),
    agent,
  ]
  for (const thing of things) {
    const replies = await Promise.all(Array.from({ length: 6 }, () => call('DELETE', thing)))
    expect(replies.map(({ status }) => status).sort(), thing).toEqual([200, 404, 404, 404, 404, 404])
    const { entries } = await log(`target_id=${thing.split('/').at(-1)}`)
    expect(entries.filter(({ action }: any) => /deleted|revoked/.test(action))).toHaveLength(1)
  }
})

test('a change that is shared twice is recorded once', async () => {
  const { call, actions, services } = await start()
  const other = await services.access.createOrganization('Other')
  const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'Handbooks' })).body.data
  for (let i = 0; i < 2; i++)
    await call('POST', `/knowledge-bases/${folder.id}/shares`, { organization_id: other.organizationId })
  expect(await actions('action=knowledge_base.shared')).toHaveLength(1)
})

test('people leave no name in the log', async () => {
  const { call, workspace, log } = await start()
  const people = `${workspace}/virtual-users`
  const person = (await call('POST', people, { email: 'zora@example.com', name: 'Zora' })).body.data
  await call('POST', `${people}/${person.id}/erase`)
  const { entries } = await log('target_type=virtual_user')
  expect(entries).toMatchObject([
    { target: { id: person.id, name: null }, details: { messages_deleted: 0, chats_deleted: 0 } },
  ])
  // Letters that no id holds.
  expect(JSON.stringify(entries)).not.toMatch(/zora/i)
})

test('entries are found by action, actor, target and time, page by page', async () => {
  const { call, workspace, log, actions, services, owner } = await start()
  const admin = await addKey({ services, owner }, { role: 'admin' })
  const ids: string[] = []
  for (const name of ['A', 'B', 'C'])
    ids.unshift((await call('POST', '/knowledge-bases', { knowledge_base_name: name }, { key: admin })).body.data.id)
  await call('POST', `${workspace}/webhook-secret/rotate`)
  const adminId = (await call('GET', '/me', undefined, { key: admin })).body.data.key.id

  const first = await log(`actor=${adminId}&page_size=2`)
  expect(first).toMatchObject({ total: 3, page: 1, page_size: 2, has_more: true })
  expect(first.entries.map(({ target }: any) => target.id)).toEqual(ids.slice(0, 2))
  const second = await log(`actor=${adminId}&page_size=2&page=2`)
  expect(second).toMatchObject({ total: 3, has_more: false, entries: [{ target: { id: ids[2] } }] })
  expect((await log(`target_id=${ids[1]}`)).entries).toMatchObject([{ target: { name: 'B' } }])
  expect(await actions('target_type=webhook_secret')).toEqual(['webhook_secret.rotated'])
  expect(await actions('actor=operator')).toEqual(['organization.created'])

  const [{ created_at: last }] = (await log()).entries
  const next = new Date(Date.parse(last) + 1).toISOString()
  expect(await actions(`from=${next}`)).toEqual([])
  expect(await actions(`from=${last}`)).toContain('webhook_secret.rotated')
  expect(await actions(`to=${last}`)).not.toContain('webhook_secret.rotated')
  expect(await actions('to=2000-01-01')).toEqual([])
  for (const query of [
    'action=knowledge_base.eaten',
    'actor=me',
    'member_id=me',
    'target_type=sandwich',
    'from=yesterday',
    'page=0',
  ])
    expect((await call('GET', `${workspace}/audit-log?${query}`)).body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      details: [{ path: query.split('=')[0] }],
    })
})

test('entries are found by the member who did it, signed in or with a personal key, also after they left', async () => {
  const app = await start()
  const { call, workspace, actions } = app
  const ada = await joinWorkspace(app, { email: 'ada@example.com', role: 'admin' })
  const bob = await joinWorkspace(app, { email: 'bob@example.com', role: 'admin' })
  const { key } = (await ada.call('POST', '/account/api-keys', { name: 'Laptop' })).body.data
  await ada.call('POST', '/knowledge-bases', { knowledge_base_name: 'By hand' })
  await call('POST', '/knowledge-bases', { knowledge_base_name: 'By key' }, { key })
  await bob.call('POST', '/knowledge-bases', { knowledge_base_name: 'Not hers' })
  const done = `member_id=${ada.memberId}&action=knowledge_base.created`
  const names = async () => (await app.log(done)).entries.map(({ target }: any) => target.name)
  expect(await names()).toEqual(['By key', 'By hand'])
  expect(await actions(`member_id=${bob.memberId}&target_type=knowledge_base`)).toEqual(['knowledge_base.created'])
  await call('DELETE', `${workspace}/members/${ada.memberId}`)
  expect(await names()).toEqual(['By key', 'By hand'])
  expect(await actions(`member_id=${UNKNOWN_ID}`)).toEqual([])
})

test('admins and owners read the log of their own workspace, and nobody writes to it', async () => {
  const { call, workspace, owner, services } = await start()
  const read = async (key: string, path = `${workspace}/audit-log`) =>
    (await call('GET', path, undefined, { key })).status
  expect(await read(await addKey({ services, owner }, { role: 'admin' }))).toBe(200)
  expect(await read(await addKey({ services, owner }, { role: 'member', permissions: ['manage_keys'] }))).toBe(403)
  expect(await read(owner.apiKey, `/workspaces/${UNKNOWN_ID}/audit-log`)).toBe(403)
  for (const method of ['POST', 'PATCH', 'DELETE'])
    expect((await call(method, `${workspace}/audit-log`)).status).toBe(405)
})

test('a workspace sees what concerns it or all of its organization, and nothing of another', async () => {
  const { call, owner, services, workspace } = await start()
  const { workspaceId } = await services.access.createWorkspace(owner.organizationId, 'Second')
  const key = await addKey({ services, owner: { ...owner, workspaceId } }, { role: 'owner' })
  const stranger = await services.access.createOrganization('Stranger')
  await call('POST', `${workspace}/api-keys`, { name: 'Of the first' })
  await call('POST', '/knowledge-bases', { knowledge_base_name: 'Of all' })
  const actionsOf = async (workspaceId: string, key: string) => {
    const { body } = await call('GET', `/workspaces/${workspaceId}/audit-log`, undefined, { key })
    return body.data.entries.map(({ action }: any) => action)
  }
  expect(await actionsOf(workspaceId, key)).toEqual([
    'knowledge_base.created',
    'workspace.created',
    'organization.created',
  ])
  expect(await actionsOf(stranger.workspaceId, stranger.apiKey)).toEqual(['organization.created'])
})

test('what operators do on the command line is recorded as theirs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const config = toConfig({ DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) })
  const run = (name: string, positionals: string[], values = {}) =>
    adminCommands[name]!.run(config, positionals, values)
  const made = (await run('create-organization', ['Acme'])) as Record<string, string>
  const key = (await run('create-key', [made.workspace_id!, 'Bot'])) as Record<string, string>
  const wrong = { role: 'boss', permissions: 'fly', 'expires-at': 'soon' }
  await expect(run('create-key', [made.workspace_id!, 'Bot'], wrong)).rejects.toThrow(
    /^--role is owner, admin or member\n--permissions are among .*\n--expires-at is a time, .*Z$/,
  )
  await run('revoke-key', [key.key_id!])
  await run('backup', [join(dataDir, 'copy')])

  const { call } = await startTestApp({ DATA_DIR: dataDir })
  const path = `/workspaces/${made.workspace_id}/audit-log`
  const { entries } = (await call('GET', path, undefined, { key: made.api_key! })).body.data
  expect(entries.map(({ action }: any) => action)).toEqual([
    'data.backed_up',
    'api_key.revoked',
    'api_key.created',
    'organization.created',
  ])
  for (const { actor, request_id, ip } of entries)
    expect({ ...actor, request_id, ip }).toEqual({
      type: 'operator',
      api_key_id: null,
      api_key_name: null,
      member_id: null,
      request_id: null,
      ip: null,
    })
})
