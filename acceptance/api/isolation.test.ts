import { beforeAll, describe, expect } from 'vitest'
import { api, dataOf, other, request } from '../support/api.ts'
import { makeFile, makeFolder, newConversation, upload } from '../support/make.ts'
import { keyedRoutes, pathWith, resolved } from '../support/routes.ts'
import { target } from '../support/target.ts'
import { testOfTwo } from '../support/tests.ts'
import { freshId, unique, uniqueEmail } from '../support/values.ts'

/** One of everything in organization B, by the name of its parameter. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  if (!target.otherKey) return
  const { workspace } = dataOf(await other.get('/me'))
  const folder = await makeFolder({}, other)
  const talk = await newConversation({ visibility: 'public' }, other)
  const made = (path: string, body: object) => other.post(path, body).then(dataOf)
  Object.assign(ids, {
    workspace_id: workspace.id,
    knowledge_base_id: folder.id,
    data_source_id: (await makeFile(folder.id, {}, 'hello', other))._id,
    agent_id: talk.agent.id,
    chat_id: talk.chat.id,
    message_id: (await talk.answer('say x')).message_id,
    project_id: (await made('/projects', { name: unique('project') })).id,
    job_id: (await made(`/agents/${talk.agent.id}/jobs`, { name: 'job' })).id,
    evaluation_set_id: (await made(`/agents/${talk.agent.id}/evaluation-sets`, { name: 'set' })).id,
    shortcut_id: (await made(`/agents/${talk.agent.id}/shortcuts`, { name: 'shortcut', prompt: 'say x' })).id,
    virtual_user_id: (await made(`/workspaces/${workspace.id}/virtual-users`, { email: uniqueEmail() })).id,
    key_id: (await made(`/workspaces/${workspace.id}/api-keys`, { name: 'key' })).id,
    group_id: (await made('/groups', { name: 'group' })).id,
    invitation_id: (await made('/invitations', { role: 'member' })).id,
    file_id: await upload('hello', 'note.txt', other),
    organization_id: dataOf(await other.get('/me')).organization.id,
  })
})

/** A body that is as the route wants it, as far as names and types tell; ids in it are `idOf` their field. */
const bodies: Record<string, (idOf: (name: string) => string) => object> = {
  'knowledgeBases.create': (idOf) => ({ knowledge_base_name: 'x', parent_kb_id: idOf('knowledge_base_id') }),
  'dataSources.addDocument': (idOf) => ({ file_id: idOf('file_id'), data_source_title: 'x' }),
  'dataSources.changeMetadata': (idOf) => ({ data_source_ids: [idOf('data_source_id')], set: { number: 1 } }),
  'dataSources.passageEdits.create': () => ({ kind: 'off', ordinal: 0 }),
  'dataSources.replaceContent': (idOf) => ({ file_id: idOf('file_id') }),
  'dataSources.pushed.put': (idOf) => ({ title: 'x', file_id: idOf('file_id') }),
  'dataSources.pushed.batch': () => ({ items: [{ external_id: 'x', title: 'x', text: 'x' }] }),
  'virtualUsers.grants.set': (idOf) => ({ knowledge_base_ids: [idOf('knowledge_base_id')] }),
  'virtualUsers.merge': () => ({ into_virtual_user_id: freshId() }),
  'agents.grants.set': () => ({ grants: [] }),
  'knowledgeBases.grants.set': () => ({ grants: [] }),
  'projects.create': (idOf) => ({
    name: 'x',
    agent_id: idOf('agent_id'),
    knowledge_base_id: idOf('knowledge_base_id'),
  }),
  'members.create': (idOf) => ({ email: 'a@example.com', name: 'Ada', group_ids: [idOf('group_id')] }),
  'virtualUsers.create': () => ({ email: 'a@example.com' }),
  'apiKeys.create': () => ({ name: 'x' }),
  'agents.create': (idOf) => ({ name: 'x', knowledge_base_ids: [idOf('knowledge_base_id')] }),
  'agents.import': (idOf) => ({ agent: { name: 'x' }, agent_id: idOf('agent_id') }),
  'agents.jobs.create': () => ({ name: 'x' }),
  'evaluation.sets.create': () => ({ name: 'x' }),
  'evaluation.sets.update': () => ({ name: 'x' }),
  'evaluation.cases.add': () => ({ from: 'cases', cases: [{ question: 'x' }] }),
  'evaluation.cases.update': () => ({ question: 'x' }),
  'agents.shortcuts.create': () => ({ name: 'x', prompt: 'say x' }),
  'chats.share': () => ({}),
  'chats.queries.create': () => ({ query: 'say x' }),
  'chats.queries.createAsync': () => ({ query: 'say x', webhook_url: 'https://example.com/' }),
  'account.passkeys.update': () => ({ name: 'x' }),
  'members.secondFactor.set': () => ({ is_demanded: false }),
  'browserOrigins.put': () => ({ origins: ['https://example.com'] }),
  'userTokens.create': (idOf) => ({ virtual_user_email: 'a@example.com', agent_ids: [idOf('agent_id')] }),
  'scimTokens.create': () => ({ name: 'x' }),
  'signInProviders.create': () => ({ id: 'x', name: 'X', issuer: 'https://id.example.com', client_id: 'x' }),
  'signInProviders.replace': () => ({ name: 'X', issuer: 'https://id.example.com', client_id: 'x' }),
  'signInProviders.test': () => ({ issuer: 'https://id.example.com', client_id: 'x' }),
  'modelProviders.put': () => ({ kind: 'ollama', base_url: 'https://models.example.com' }),
  'agents.mcpServers.finishConnect': () => ({ state: 'x', code: 'x' }),
  'agents.mcpServers.connect': () => ({ url: 'https://tickets.example/mcp' }),
  'agents.mcpServers.disconnect': () => ({ url: 'https://tickets.example/mcp' }),
  'webhooks.endpoints.create': () => ({ url: 'https://example.com/', event_types: ['message.waiting'] }),
  'webhooks.endpoints.update': () => ({ is_enabled: false }),
  'searchIndex.choose': () => ({ source: 'none' }),
  'searchIndex.test': () => ({ model: 'acme/x' }),
  'modelDefaults.testReranking': () => ({ model: 'acme/x' }),
  'webSearch.put': () => ({ kind: 'searxng', base_url: 'https://search.example.com' }),
  'integrations.putApp': () => ({ client_id: 'x', client_secret: 'y' }),
  'groups.update': () => ({ name: 'x' }),
  'members.update': () => ({ role: 'admin' }),
  'invitations.create': (idOf) => ({ role: 'member', group_ids: [idOf('group_id')] }),
  'account.apps.check': () => ({ query: 'client_id=x' }),
  'account.apps.checkDevice': () => ({ user_code: 'BCDF-GHJK' }),
  'account.apps.decideDevice': () => ({ user_code: 'BCDF-GHJK', decision: 'allow' }),
  'account.apps.decide': (idOf) => ({ query: 'client_id=x', decision: 'allow', agent_ids: [idOf('agent_id')] }),
  'account.chooseWorkspace': (idOf) => ({ workspace_id: idOf('workspace_id') }),
  'messages.giveFeedback': () => ({ rating: 'up' }),
  'messages.review': () => ({ decision: 'approve' }),
  'messages.update': () => ({ is_pinned: true }),
  'dataSources.readers.set': () => ({ readers: null }),
  'quotas.set': () => ({ subject: { type: 'workspace' }, period: 'day', max_messages: 1 }),
  'shares.create': (idOf) => ({ organization_id: idOf('organization_id') }),
  'integrations.create': (idOf) => ({
    kind: 'directory',
    knowledge_base_name: 'x',
    parent_kb_id: idOf('knowledge_base_id'),
    config: { path: '/nowhere' },
  }),
}

const queries: Record<string, (idOf: (name: string) => string) => string> = {
  'knowledgeBases.list': (idOf) => `?parent_kb_id=${idOf('knowledge_base_id')}`,
  'knowledgeBases.search': () => '?query=hello',
  'dataSources.delete': (idOf) => `?data_source_id=${idOf('data_source_id')}`,
  'dataSources.index': (idOf) => `?data_source_id=${idOf('data_source_id')}`,
  'dataSources.cancelIndexing': (idOf) => `?data_source_id=${idOf('data_source_id')}`,
  'dataSources.download': (idOf) => `?data_source_id=${idOf('data_source_id')}`,
}

const usesIds = keyedRoutes.filter(
  ({ path, operation }) =>
    path.includes('{') || bodies[operation.operationId]?.(freshId) !== undefined || queries[operation.operationId],
)

describe("organization A with B's ids gets what an id that does not exist gets", () => {
  for (const { method, path, operation } of usesIds) {
    const { operationId, requestBody } = operation
    testOfTwo(`${method} ${path}`, async () => {
      const unknown: Record<string, string> = {}
      const call = (idOf: (name: string) => string) =>
        request(method, pathWith(path, idOf) + (queries[operationId]?.(idOf) ?? ''), {
          headers: { 'x-api-key': api.key },
          body: requestBody ? (bodies[operationId]?.(idOf) ?? {}) : undefined,
        })
      const theirs = await call((name) => ids[name] ?? (unknown[name] ??= freshId()))
      const nobodys = await call((name) => (unknown[`${name} of nobody`] ??= freshId()))
      expect(theirs.status).toBeGreaterThanOrEqual(400)
      expect([theirs.status, theirs.body]).toEqual([nobodys.status, nobodys.body])
    })
  }
})

describe("B's things by name, in bodies", () => {
  testOfTwo.each([
    ['a job', 'job_id', (id: string) => ({ job_id: id })],
    ['a shortcut', 'shortcut_id', (id: string) => ({ shortcut_id: id })],
    ['an upload', 'file_id', (id: string) => ({ uploaded_files: [id] })],
  ] as const)('a query of A with %s of B gets what an unknown one gets', async (_, name, fields) => {
    const talk = await newConversation()
    const [theirs, nobodys] = [await talk.ask('say x', fields(ids[name]!)), await talk.ask('say x', fields(freshId()))]
    expect([theirs.status, theirs.body]).toEqual([nobodys.status, nobodys.body])
    expect(theirs.status).toBe(404)
  })

  testOfTwo('an upload of B cannot be added to a folder of A', async () => {
    const { id } = await makeFolder()
    const add = (file_id: string) =>
      api.post(`/knowledge-bases/${id}/data-sources/documents`, { file_id, data_source_title: 'x' })
    expect((await add(ids.file_id!)).body).toEqual((await add(freshId())).body)
  })

  testOfTwo('a message id of B is free for A', async () => {
    const message_id = ids.message_id!
    expect((await (await newConversation()).answer('say x', { message_id })).message_id).toBe(message_id)
  })

  testOfTwo('a folder of A cannot be moved under one of B', async () => {
    const { id } = await makeFolder()
    const move = (parent_kb_id: string) => api.patch(`/knowledge-bases/${id}`, { parent_kb_id })
    expect((await move(ids.knowledge_base_id!)).body).toEqual((await move(freshId())).body)
  })

  testOfTwo('an agent of A cannot answer from a folder of B', async () => {
    const make = (folder: string) => api.post('/agents', { name: 'x', knowledge_base_ids: [folder] })
    expect((await make(ids.knowledge_base_id!)).body).toEqual((await make(freshId())).body)
  })

  testOfTwo('the same e-mail is another person in each organization', async () => {
    const email = uniqueEmail()
    const of = async (by: typeof api) => {
      const { workspace } = dataOf(await by.get('/me'))
      return dataOf(await by.post(`/workspaces/${workspace.id}/virtual-users`, { email })).id
    }
    expect(await of(api)).not.toBe(await of(other))
  })

  testOfTwo('no list of A shows anything of B', async () => {
    const texts = await Promise.all(
      ['/agents?page_size=100', '/knowledge-bases?scope=all'].map((path) => api.get(path)),
    )
    // Folders that B shares name their organization.
    const { organization_id: _, ...hidden } = ids
    for (const { text } of texts) for (const id of Object.values(hidden)) expect(text).not.toContain(id)
  })

  testOfTwo('none of this changed anything of B', async () => {
    expect((await other.get(`/agents/${ids.agent_id}/chats/${ids.chat_id}/message/${ids.message_id}`)).status).toBe(200)
    expect(
      (await other.get(`/knowledge-bases/${ids.knowledge_base_id}/data-sources/${ids.data_source_id}`)).status,
    ).toBe(200)
    expect((await other.get('/me')).status).toBe(200)
  })
})

testOfTwo('the sweep knows the body of every route that wants fields', () => {
  const unknown = usesIds
    .filter(({ operation }) => {
      const schema = resolved(operation.requestBody?.content['application/json']?.schema)
      return schema?.required?.length > 0 && !bodies[operation.operationId]
    })
    .map(({ operation }) => operation.operationId)
  expect(unknown).toEqual([])
})
