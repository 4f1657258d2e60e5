import { expect, test } from 'vitest'
import { addKey } from '../support/access/keys.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

async function start(settings: Record<string, string> = {}) {
  const app = await startTestApp(settings)
  const drive = driveOf(app)
  const exported = async (id: string) => (await drive.succeed('GET', `/agents/${id}/export`)).data
  const imported = async (body: object) => (await drive.succeed('POST', '/agents/import', body)).data
  return { ...app, ...drive, exported, imported }
}

type Started = Awaited<ReturnType<typeof start>>

const SERVER = { name: 'tickets', url: 'https://tickets.example/mcp', headers: { authorization: 'Bearer secret-1' } }

async function makePotter({ succeed, newFolder }: Started) {
  const kilns = await newFolder('Kilns', await newFolder('Hand/books'))
  const helper = (await succeed('POST', '/agents', { name: 'Helper' })).data
  const agent = (
    await succeed('POST', '/agents', {
      name: 'Potter',
      instructions: 'Answer about kilns.',
      model: 'builtin/extractive',
      knowledge_base_ids: [kilns],
      sub_agent_ids: [helper.id],
      tools_needing_approval: ['tickets__*'],
      limits: { max_steps: 7 },
      mcp_servers: [SERVER],
    })
  ).data
  const jobs = `/agents/${agent.id}/jobs`
  const job = (await succeed('POST', jobs, { name: 'Review', instructions: 'Review it.', tools: ['read_file'] })).data
  await succeed('POST', jobs, { name: 'Review', instructions: 'Another of that name.' })
  const field = { name: 'kiln', type: 'text', required: true, options: [] }
  const shortcut = { name: 'Check', prompt: 'Check {{kiln}}', fields: [field], job_id: job.id }
  await succeed('POST', `/agents/${agent.id}/shortcuts`, shortcut)
  return { agent, job, kilns, helper }
}

test('an agent is exported with jobs, shortcuts, folders by path and sub-agents by name, without ids and secrets', async () => {
  const app = await start()
  const { agent } = await makePotter(app)
  const file = await app.exported(agent.id)
  expect(file).toEqual({
    agent: {
      version: 1,
      name: 'Potter',
      description: '',
      instructions: 'Answer about kilns.',
      model: 'builtin/extractive',
      visibility: 'private',
      knowledge_bases: ['/Hand\\/books/Kilns'],
      filters: null,
      tools: null,
      tools_needing_approval: ['tickets__*'],
      sub_agents: ['Helper'],
      limits: { max_steps: 7, max_tokens: null, max_seconds: null, max_tool_output_characters: null },
      mcp_servers: [
        {
          name: 'tickets',
          transport: 'http',
          url: SERVER.url,
          headers: { authorization: '***' },
          command: null,
          tools: null,
        },
      ],
      openapi_tools: [],
      jobs: [
        { name: 'Review', instructions: 'Review it.', tools: ['read_file'], knowledge_bases: null, filters: null },
        {
          name: 'Review (2)',
          instructions: 'Another of that name.',
          tools: null,
          knowledge_bases: null,
          filters: null,
        },
      ],
      shortcuts: [
        {
          name: 'Check',
          prompt: 'Check {{kiln}}',
          fields: [{ name: 'kiln', type: 'text', required: true, options: [] }],
          job: 'Review',
        },
      ],
    },
    unmapped: [{ path: 'jobs.Review (2)', value: 'Review', reason: 'is the name of several' }],
  })
  expect(JSON.stringify(file)).not.toMatch(/secret-1|[0-9a-f]{24}/)
  expect((await app.call('GET', `/agents/${UNKNOWN_ID}/export`)).body.error_code).toBe('AGENT_NOT_FOUND')
})

test('an export imported again changes nothing, and an agent becomes like the file, down to what it lacks', async () => {
  const app = await start()
  const { agent, job, kilns, helper } = await makePotter(app)
  const { agent: file } = await app.exported(agent.id)
  const again = await app.imported({ agent: file, agent_id: agent.id })
  expect(again).toMatchObject({ outcome: 'unchanged', changes: [], unmapped: [], agent: { id: agent.id } })
  expect(again.agent.updated_at).toBe(agent.updated_at)

  const wanted = {
    ...file,
    instructions: 'Answer shortly.',
    mcp_servers: [{ ...file.mcp_servers[0], headers: { authorization: 'Bearer secret-2' } }],
    jobs: [
      { ...file.jobs[0], instructions: 'Review it well.' },
      { name: 'Plan', instructions: 'Plan a firing.' },
    ],
    shortcuts: [{ ...file.shortcuts[0], job: 'Plan' }],
  }
  const dry = await app.imported({ agent: wanted, agent_id: agent.id, dry_run: true })
  expect(dry.outcome).toBe('updated')
  expect(dry.changes).toEqual([
    { path: 'instructions', before: 'Answer about kilns.', after: 'Answer shortly.' },
    {
      path: 'mcp_servers.tickets.headers',
      before: { authorization: '***' },
      after: { authorization: '*** (given)' },
    },
    { path: 'jobs.Review.instructions', before: 'Review it.', after: 'Review it well.' },
    {
      path: 'jobs.Plan',
      before: null,
      after: { name: 'Plan', instructions: 'Plan a firing.', tools: null, knowledge_bases: null, filters: null },
    },
    { path: 'jobs.Review (2)', before: file.jobs[1], after: null },
    { path: 'shortcuts.Check.job', before: 'Review', after: 'Plan' },
  ])
  expect((await app.exported(agent.id)).agent).toEqual(file)

  const done = await app.imported({ agent: wanted, agent_id: agent.id })
  expect(done).toMatchObject({ outcome: 'updated', changes: dry.changes, agent: { id: agent.id } })
  expect(done.agent).toMatchObject({ knowledge_base_ids: [kilns], sub_agent_ids: [helper.id] })
  const { jobs } = (await app.succeed('GET', `/agents/${agent.id}/jobs`)).data
  expect(jobs.map(({ name }: { name: string }) => name).sort()).toEqual(['Plan', 'Review'])
  expect(jobs.find(({ name }: { name: string }) => name === 'Review').id).toBe(job.id)
  expect(await app.imported({ agent: wanted, agent_id: agent.id })).toMatchObject({ outcome: 'unchanged' })
})

test('a new agent is made of a file, and what its server has not is left out and named', async () => {
  const app = await start()
  const { agent } = await makePotter(app)
  const { agent: file } = await app.exported(agent.id)
  const foreign = {
    ...file,
    name: 'Guest',
    model: 'openai/gpt-5',
    knowledge_bases: ['hand\\/books/KILNS/', '/Nowhere'],
    tools: ['read_file', 'teleport'],
    sub_agents: ['Helper', 'Nobody'],
    mcp_servers: [...file.mcp_servers, { name: 'local', transport: 'stdio', command: 'none' }],
    jobs: [{ name: 'Review', tools: ['Bash(git:*)', 'read_file'] }],
  }
  const unmapped = [
    ['model', 'openai/gpt-5'],
    ['knowledge_bases', '/Nowhere'],
    ['tools', 'teleport'],
    ['sub_agents', 'Nobody'],
    ['mcp_servers.tickets.headers.authorization', '***'],
    ['mcp_servers.local', 'none'],
    ['jobs.Review.tools', 'Bash(git:*)'],
  ]
  const dry = await app.imported({ agent: foreign, dry_run: true })
  expect(dry).toMatchObject({ outcome: 'created', agent: null })
  expect(dry.unmapped.map(({ path, value }: Record<string, string>) => [path, value]).sort()).toEqual(unmapped.sort())
  const made = await app.imported({ agent: foreign })
  expect(made).toMatchObject({ outcome: 'created', unmapped: dry.unmapped, agent: { name: 'Guest', model: null } })
  const { agent: kept } = await app.exported(made.agent.id)
  expect(kept).toMatchObject({
    knowledge_bases: file.knowledge_bases,
    tools: ['read_file'],
    sub_agents: ['Helper'],
    mcp_servers: [{ name: 'tickets', headers: {} }],
    jobs: [{ name: 'Review', tools: ['read_file'] }],
    shortcuts: file.shortcuts,
  })
})

test('files that make no sense are refused, and so are those who may not change the agent', async () => {
  const app = await start()
  const { id } = (await app.succeed('POST', '/agents', { name: 'Potter' })).data
  await everyRow(
    [
      ['no name', { name: undefined }],
      ['another version', { version: 2 }],
      ['a field that nobody knows', { knowledge_base_ids: [] }],
      ['two jobs of one name', { jobs: [{ name: 'A' }, { name: 'A' }] }],
      ['a shortcut with a job that is not there', { shortcuts: [{ name: 'S', prompt: 'p', job: 'B' }] }],
      [
        'an API with a URL and a document',
        { openapi_tools: [{ name: 'a', url: 'https://a.example', document: '{}' }] },
      ],
      [
        'an API with the name of an MCP server',
        { mcp_servers: [SERVER], openapi_tools: [{ name: 'tickets', url: 'https://a.example' }] },
      ],
      ['a place that no field fills', { shortcuts: [{ name: 'S', prompt: 'Hi {{you}}' }] }],
    ],
    async (_name, fields) => {
      const refused = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }
      expect(await app.call('POST', '/agents/import', { agent: { name: 'X', ...fields } })).toMatchObject(refused)
    },
  )
  const body = { agent: { name: 'X' }, agent_id: id }
  const plain = await addKey(app, { role: 'member', permissions: [] })
  expect((await app.call('POST', '/agents/import', body, { key: plain })).status).toBe(403)
  expect((await app.call('POST', '/agents/import', { ...body, agent_id: UNKNOWN_ID })).status).toBe(404)
})

const PETS = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '2' },
  servers: [{ url: '/v1' }],
  paths: { '/pets': { get: { operationId: 'listPets', responses: { '200': { description: 'All' } } } } },
})

test('APIs and the folders of jobs go into a file and back, secrets only where they are given or known', async () => {
  const server = await startReceiver((_request, response) => void response.end(PETS))
  const app = await start({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  const kilns = await app.newFolder('Kilns')
  const auth = { type: 'bearer', secret: 'geheim' }
  const { id } = (
    await app.succeed('POST', '/agents', {
      name: 'Potter',
      knowledge_base_ids: [kilns],
      openapi_tools: [
        { name: 'pets', url: `${server.url}/api.json`, auth, operations: ['listPets'] },
        { name: 'own', document: PETS, base_url: server.url },
      ],
    })
  ).data
  const narrow = { name: 'Review', knowledge_base_ids: [kilns] }
  const job = (await app.succeed('POST', `/agents/${id}/jobs`, narrow)).data
  const { agent: file, unmapped } = await app.exported(id)
  expect(JSON.stringify(file)).not.toContain('geheim')
  expect(file.jobs[0].knowledge_bases).toEqual(['/Kilns'])
  expect(file.openapi_tools).toEqual([
    {
      name: 'pets',
      url: `${server.url}/api.json`,
      document: null,
      base_url: `${server.url}/v1`,
      auth: { type: 'bearer', name: null, username: null, secret: '***' },
      operations: ['listPets'],
    },
    { name: 'own', url: null, document: null, base_url: server.url, auth: null, operations: [] },
  ])
  expect(unmapped.map(({ path }: { path: string }) => path)).toEqual(['openapi_tools.own.document'])
  expect(await app.imported({ agent: file, agent_id: id })).toMatchObject({ outcome: 'unchanged', unmapped: [] })

  // A secret given as it is stored changes nothing; another one does, and stays hidden.
  const [pets, own] = file.openapi_tools
  const secretOf = (secret: string) => ({
    agent: {
      ...file,
      openapi_tools: [
        { ...pets, auth: { ...auth, secret } },
        { ...own, document: PETS },
      ],
    },
    agent_id: id,
  })
  expect(await app.imported(secretOf('geheim'))).toMatchObject({ outcome: 'unchanged', unmapped: [] })
  const changed = await app.imported(secretOf('other'))
  expect(changed.changes.map(({ path }: { path: string }) => path)).toEqual(['openapi_tools.pets.auth'])
  expect(JSON.stringify(changed)).not.toContain('other')

  // Another agent gets neither secret nor document, and a secret does not go to another address.
  const copy = await app.imported({ agent: { ...file, name: 'Copy' } })
  expect(copy.unmapped.map(({ path }: { path: string }) => path)).toEqual([
    'openapi_tools.pets.auth.secret',
    'openapi_tools.own',
  ])
  expect(copy.agent.openapi_tools).toMatchObject([{ name: 'pets', auth: null }])
  const moved = { ...file, openapi_tools: [{ ...pets, base_url: 'https://other.example' }, own] }
  expect((await app.imported({ agent: moved, agent_id: id, dry_run: true })).unmapped).toMatchObject([
    { path: 'openapi_tools.pets.auth.secret' },
  ])
  const unknown = { ...file, openapi_tools: [{ ...pets, operations: ['noSuch'] }, own] }
  expect((await app.imported({ agent: unknown, agent_id: id, dry_run: true })).unmapped).toMatchObject([
    { path: 'openapi_tools.pets' },
  ])

  const wider = { ...file, jobs: [{ ...file.jobs[0], knowledge_bases: ['/Kilns', '/Nowhere'] }] }
  expect((await app.imported({ agent: wider, agent_id: id })).unmapped).toMatchObject([
    { path: 'jobs.Review.knowledge_bases', value: '/Nowhere' },
  ])
  const free = { ...file, jobs: [{ ...file.jobs[0], knowledge_bases: null }] }
  expect((await app.imported({ agent: free, agent_id: id })).changes).toContainEqual({
    path: 'jobs.Review.knowledge_bases',
    before: ['/Kilns'],
    after: null,
  })
  expect((await app.succeed('GET', `/agents/${id}/jobs/${job.id}`)).data.knowledge_base_ids).toBeNull()
})
