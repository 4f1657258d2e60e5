import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, apiOf, dataOf, expectError, other } from '../support/api.ts'
import { makeAgent, makeFolder, makeKey, whoAmI } from '../support/make.ts'
import { testOfTwo } from '../support/tests.ts'
import { anId, aTime, freshId, unique, uniqueEmail } from '../support/values.ts'

let workspace: string
let log: string
beforeAll(async () => {
  workspace = `/workspaces/${(await whoAmI()).workspace.id}`
  log = `${workspace}/audit-log`
})

const entriesOf = async (query: string): Promise<any[]> => dataOf(await api.get(`${log}?${query}`)).entries
const actionsOf = async (id: string): Promise<string[]> => (await entriesOf(`target_id=${id}`)).map((one) => one.action)

describe('what is done is in the log when it is answered', () => {
  test('a key: made and revoked, by whom, in which request', async () => {
    const me = await whoAmI()
    const name = unique('key')
    const headers = { 'x-request-id': unique('request').replaceAll(' ', '-') }
    const made = dataOf(await api.post(`${workspace}/api-keys`, { name, role: 'admin' }, headers))
    const [entry] = await entriesOf(`target_id=${made.id}`)
    expect(entry).toEqual({
      id: anId,
      action: 'api_key.created',
      workspace_id: me.workspace.id,
      actor: { type: 'api_key', api_key_id: me.key.id, api_key_name: me.key.name, member_id: null },
      target: { type: 'api_key', id: made.id, name },
      details: expect.objectContaining({ role: 'admin' }),
      request_id: headers['x-request-id'],
      ip: expect.any(String),
      created_at: aTime,
    })
    expect(JSON.stringify(entry)).not.toContain(made.key)
    await api.delete(`${workspace}/api-keys/${made.id}`)
    expect(await actionsOf(made.id)).toEqual(['api_key.revoked', 'api_key.created'])
  })

  test('a folder: made, renamed, deleted', async () => {
    const { id } = await makeFolder()
    await api.patch(`/knowledge-bases/${id}`, { knowledge_base_name: unique('renamed') })
    await api.delete(`/knowledge-bases/${id}`)
    expect(await actionsOf(id)).toEqual(['knowledge_base.deleted', 'knowledge_base.updated', 'knowledge_base.created'])
  })

  test('an agent: which fields changed, not what they hold', async () => {
    const { id } = await makeAgent()
    const instructions = unique('instructions')
    await api.patch(`/agents/${id}`, { instructions, visibility: 'organization' })
    await api.delete(`/agents/${id}`)
    expect(await actionsOf(id)).toEqual(['agent.deleted', 'agent.visibility_changed', 'agent.updated', 'agent.created'])
    const entries = await entriesOf(`target_id=${id}`)
    expect(entries[1].details).toEqual({ from: 'private', to: 'organization' })
    expect(entries[2].details).toEqual({ changed: ['instructions', 'visibility'] })
    expect(JSON.stringify(entries)).not.toContain(instructions)
  })

  test('a person: erased, without the name or the e-mail', async () => {
    const email = uniqueEmail()
    const { id } = dataOf(await api.post(`${workspace}/virtual-users`, { email, name: 'Somebody' }))
    await api.post(`${workspace}/virtual-users/${id}/erase`)
    const entries = await entriesOf(`target_id=${id}`)
    expect(entries).toMatchObject([{ action: 'virtual_user.erased', target: { name: null } }])
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`somebody|${email}`, 'i'))
  })

  test('the webhook secret: rotated', async () => {
    await api.post(`${workspace}/webhook-secret/rotate`)
    const [entry] = await entriesOf('action=webhook_secret.rotated')
    expect(entry).toMatchObject({ target: { type: 'webhook_secret' }, details: {} })
  })

  testOfTwo('a share: begun and ended', async () => {
    const { id } = await makeFolder()
    const { organization } = dataOf(await other.get('/me'))
    await api.post(`/knowledge-bases/${id}/shares`, { organization_id: organization.id })
    await api.delete(`/knowledge-bases/${id}/shares/${organization.id}`)
    expect((await actionsOf(id)).slice(0, 2)).toEqual(['knowledge_base.unshared', 'knowledge_base.shared'])
    expect((await entriesOf(`target_id=${id}`))[0].details).toEqual({ organization_id: organization.id })
  })
})

test('what is refused leaves no entry', async () => {
  const { id, name } = await makeFolder()
  expectError(await api.post('/knowledge-bases', { knowledge_base_name: name }), 409, 'KNOWLEDGE_BASE_NAME_CONFLICT')
  expect(await actionsOf(id)).toEqual(['knowledge_base.created'])
})

describe('the list', () => {
  test('comes newest first, page by page', async () => {
    const { id, key } = await makeKey({ role: 'admin' })
    const folders: string[] = []
    for (let i = 0; i < 3; i++) folders.unshift((await makeFolder({}, apiOf(key))).id)
    const first = dataOf(await api.get(`${log}?actor=${id}&page_size=2`))
    expect(first).toMatchObject({ total: 3, page: 1, page_size: 2, has_more: true })
    expect(first.entries.map(({ target }: any) => target.id)).toEqual(folders.slice(0, 2))
    const second = dataOf(await api.get(`${log}?actor=${id}&page_size=2&page=2`))
    expect(second).toMatchObject({ has_more: false, entries: [{ target: { id: folders[2] } }] })
  })

  test('is narrowed by time: from is included, to is not', async () => {
    const { id } = await makeFolder()
    const [{ created_at }] = await entriesOf(`target_id=${id}`)
    expect(await entriesOf(`target_id=${id}&from=${created_at}`)).toHaveLength(1)
    expect(await entriesOf(`target_id=${id}&to=${created_at}`)).toHaveLength(0)
    expect(await entriesOf(`target_id=${id}&from=${created_at.slice(0, 10)}`)).toHaveLength(1)
  })

  test('wrong parameters are a validation error that names them', () =>
    everyRow(
      ['action=no.such', 'actor=me', 'target_type=planet', 'from=soon', 'page=0', 'page_size=101'],
      async (query) => {
        const reply = await api.get(`${log}?${query}`)
        expectError(reply, 400, 'VALIDATION_ERROR')
        expect(reply.body.details[0].path).toBe(query.split('=')[0])
      },
    ))

  test('is for admins and owners of the workspace', async () => {
    const member = await makeKey({ permissions: ['create_knowledgebase', 'manage_agents', 'manage_keys'] })
    expectError(await apiOf(member.key).get(log), 403, 'FORBIDDEN')
    expectError(await api.get(`/workspaces/${freshId()}/audit-log`), 403, 'FORBIDDEN')
  })

  testOfTwo('shows nothing of another organization', async () => {
    const { id } = await makeFolder()
    const { workspace: theirs } = dataOf(await other.get('/me'))
    expect(dataOf(await other.get(`/workspaces/${theirs.id}/audit-log?target_id=${id}`)).total).toBe(0)
  })

  test('cannot be written to', async () => {
    for (const method of ['post', 'patch', 'put', 'delete'] as const)
      expectError(await api[method](log), 405, 'METHOD_NOT_ALLOWED')
  })
})
