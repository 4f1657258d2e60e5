import { describe, expect, test } from 'vitest'
import { driveOf } from '../support/drive/drive.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

/** Two folders (one with a sub-folder), two agents, and a way to make narrowed keys. */
async function startScoped() {
  const app = await startTestApp()
  const drive = driveOf(app)
  const { succeed } = drive
  const workspace = (await succeed('GET', '/me')).data.workspace.id
  const mine = await drive.newFolder('Mine')
  const below = await drive.newFolder('Below', mine)
  const other = await drive.newFolder('Other')
  const newAgent = async (name: string): Promise<string> =>
    (await succeed('POST', '/agents', { name, model: 'builtin/extractive' })).data.id
  const agent = await newAgent('Allowed')
  const otherAgent = await newAgent('Other')
  const newKey = async (fields: Record<string, unknown>): Promise<string> =>
    (await succeed('POST', `/workspaces/${workspace}/api-keys`, { name: 'Narrow', role: 'admin', ...fields })).data.key
  const as = (key: string) => (method: string, path: string, body?: unknown) => app.call(method, path, body, { key })
  return { ...app, ...drive, workspace, mine, below, other, agent, otherAgent, newKey, as }
}

describe('a key that can only chat with one agent', () => {
  test('chats with it, sees no other, and reaches no folder', async () => {
    const { agent, otherAgent, mine, newKey, as } = await startScoped()
    const ask = as(
      await newKey({ scopes: { agent_ids: [agent], operations: ['chats.*', 'messages.*', 'agents.list'] } }),
    )
    const { body } = await ask('POST', `/agents/${agent}/chats`, {})
    const reply = await ask('POST', `/agents/${agent}/chats/${body.data.chat.id}/query`, { query: 'Hello?' })
    expect(reply.status).toBe(200)
    expect((await ask('GET', '/agents')).body.data.agents.map(({ id }: { id: string }) => id)).toEqual([agent])
    expect(await ask('POST', `/agents/${otherAgent}/chats`, {})).toMatchObject({
      status: 404,
      body: { error_code: 'AGENT_NOT_FOUND' },
    })
    expect((await ask('PATCH', `/agents/${agent}`, { name: 'Mine now' })).status).toBe(403)
    expect((await ask('GET', `/knowledge-bases/${mine}`)).status).toBe(403)
  })

  test('cannot bind the agent to a folder that it may not use', async () => {
    const { agent, mine, other, newKey, as } = await startScoped()
    const manage = as(await newKey({ scopes: { agent_ids: [agent], knowledge_base_ids: [mine] } }))
    expect((await manage('PATCH', `/agents/${agent}`, { knowledge_base_ids: [other] })).status).toBe(404)
    expect((await manage('PATCH', `/agents/${agent}`, { knowledge_base_ids: [mine] })).status).toBe(200)
  })

  test('cannot let the agent call one that it may not use', async () => {
    const { agent, otherAgent, newKey, as, succeed } = await startScoped()
    const manage = as(await newKey({ scopes: { agent_ids: [agent] } }))
    expect(await manage('PATCH', `/agents/${agent}`, { sub_agent_ids: [otherAgent] })).toMatchObject({
      status: 404,
      body: { error_code: 'AGENT_NOT_FOUND' },
    })
    expect((await succeed('GET', `/agents/${agent}`)).data.sub_agent_ids).toEqual([])
    const both = as(await newKey({ scopes: { agent_ids: [agent, otherAgent] } }))
    expect((await both('PATCH', `/agents/${agent}`, { sub_agent_ids: [otherAgent] })).status).toBe(200)
  })
})

describe('a key that can only read one folder', () => {
  test('reads it and what is below, and nothing else', async () => {
    const { mine, below, other, agent, addFile, newKey, as } = await startScoped()
    const operations = ['knowledgeBases.list', 'knowledgeBases.get', 'knowledgeBases.search', 'dataSources.list']
    const read = as(await newKey({ scopes: { knowledge_base_ids: [mine], operations } }))
    await addFile(below)
    const { data } = (await read('GET', '/knowledge-bases')).body
    expect(data.org_knowledge_bases.map(({ _id }: { _id: string }) => _id)).toEqual([mine])
    expect((await read('GET', `/knowledge-bases?parent_kb_id=${mine}`)).body.data.org_knowledge_bases).toHaveLength(1)
    expect((await read('GET', `/knowledge-bases/${below}/data-sources`)).body.data.data_sources).toHaveLength(1)
    for (const path of [`/knowledge-bases/${other}`, `/knowledge-bases?parent_kb_id=${other}`]) {
      expect(await read('GET', path)).toMatchObject({ status: 404, body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' } })
    }
    expect((await read('DELETE', `/knowledge-bases/${below}`)).status).toBe(403)
    expect((await read('GET', `/agents/${agent}`)).status).toBe(403)
  })

  test('may not move anything out of it, share it, or make folders elsewhere', async () => {
    const { mine, below, other, addFile, newKey, as } = await startScoped()
    const write = as(await newKey({ scopes: { knowledge_base_ids: [mine] } }))
    const file = await addFile(mine)
    const move = { knowledge_base_id: other }
    expect((await write('PATCH', `/knowledge-bases/${mine}/data-sources/${file}`, move)).status).toBe(404)
    expect((await write('PATCH', `/knowledge-bases/${below}`, { parent_kb_id: other })).status).toBe(404)
    expect((await write('POST', `/knowledge-bases/${mine}/shares`, { organization_id: other })).status).toBe(403)
    expect((await write('POST', '/knowledge-bases', { knowledge_base_name: 'Root' })).status).toBe(403)
    const inside = { knowledge_base_name: 'Inside', parent_kb_id: mine }
    expect((await write('POST', '/knowledge-bases', inside)).status).toBe(200)
  })
})

test('a narrowed key makes no keys, and is shown with its scopes', async () => {
  const { workspace, agent, newKey, as, call } = await startScoped()
  const scopes = { agent_ids: [agent] }
  const narrow = as(await newKey({ scopes }))
  expect((await narrow('POST', `/workspaces/${workspace}/api-keys`, { name: 'Wide', role: 'admin' })).status).toBe(403)
  expect((await narrow('GET', '/me')).body.data.key.scopes).toEqual(scopes)
  const onlyKeys = as(await newKey({ scopes: { operations: ['apiKeys.*'] } }))
  expect((await onlyKeys('POST', `/workspaces/${workspace}/api-keys`, { name: 'Wide' })).status).toBe(403)
  const bad = await call('POST', `/workspaces/${workspace}/api-keys`, { name: 'Bad', scopes: { operations: ['*x'] } })
  expect(bad).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
})
