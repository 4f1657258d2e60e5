import { expect, onTestFinished, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf, formOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { type Script, startModelServer } from '../support/models/model-server.ts'
import { startRestartable } from '../support/processes/restartable.ts'
import { STACKS } from '../support/processes/stacks.ts'

const PATIENCE = { timeout: 60_000, interval: 100 }

/** Long enough that a step of a build takes one alone: 530 passages, of which two are more than a step. */
function longText(word: string): string {
  const sentence = (at: number) => `The ${word} of part ${at} opens at ${at} degrees and closes again after some time. `
  return Array.from({ length: 5_000 }, (_, at) => sentence(at)).join('')
}

const texts = ({ body }: { body: any }): string[] => [body.input].flat()

test.each(STACKS)(
  'on %s the old index serves, files come, change and go, and a kill in the middle loses nothing of the new one',
  { timeout: 240_000 },
  async (stack) => {
    const state = { isHeld: false, answered: 0 }
    const script: Script = ({ protocol }) => {
      if (protocol !== 'embeddings') return undefined
      return state.isHeld && ++state.answered > 11 ? { silence: true } : undefined
    }
    const { first, again, model } = await startRestartable(script, {
      stack,
      settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8' },
    })
    let server = first
    const send = async (method: string, path: string, body?: unknown) => {
      const reply = await server.call(method, path, body)
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      return reply.body.data
    }
    const upload = async (content: string) =>
      (
        await fetch(`${server.url}/v1/uploaded-files`, {
          method: 'POST',
          headers: { 'x-api-key': 'a-key-of-our-own-choice' },
          body: formOf(content),
        }).then((reply) => reply.json() as any)
      ).data
    const folder = (await send('POST', '/knowledge-bases', { knowledge_base_name: 'Manuals' })).id
    const other = (await send('POST', '/knowledge-bases', { knowledge_base_name: 'Archive' })).id
    const documents = `/knowledge-bases/${folder}/data-sources/documents`
    const add = async (title: string, content: string) =>
      (await send('POST', documents, { file_id: await upload(content), data_source_title: title }))._id as string
    const isIndexed = (ids: string[]) =>
      expect
        .poll(async () => {
          const listed = await send('GET', `/knowledge-bases/${folder}/data-sources?page_size=100`)
          return listed.data_sources.filter((one: any) => ids.includes(one.id)).map((one: any) => one.status)
        }, PATIENCE)
        .toEqual(ids.map(() => 'successful'))
    const find = async (query: string, where = folder) =>
      (await send('GET', `/knowledge-bases/${where}/search?query=${encodeURIComponent(query)}&limit=3`)).results
    const { workspace } = await send('GET', '/me')
    const base = `/workspaces/${workspace.id}`
    const long = [await add('valve', longText('valve')), await add('pump', longText('pump'))]
    const [gone, moved, renamed] = [
      await add('gone', 'The turbine is red.'),
      await add('moved', 'The gasket is blue.'),
      await add('renamed', 'The flange is green.'),
    ]
    await isIndexed([...long, gone, moved, renamed])
    await send('PUT', `${base}/model-providers/acme`, {
      kind: 'openai-compatible',
      base_url: model.openaiUrl,
      api_key: 'sk-a-key',
    })

    state.isHeld = true
    await send('PUT', `${base}/search-index`, { source: 'workspace', model: 'acme/meaning' })
    await expect.poll(() => state.answered, PATIENCE).toBeGreaterThan(11)
    const half = await send('GET', `${base}/search-index`)
    expect(half).toMatchObject({ serving: { source: 'environment', model: null }, building: { files_total: 5 } })
    expect(half.building.files_done).toBeGreaterThan(0)
    expect((await find('red turbine'))[0].data_source_id).toBe(gone)
    expect(model.requests.some((request) => texts(request).includes('red turbine'))).toBe(false)
    await send('DELETE', `/knowledge-bases/${folder}/data-sources?data_source_id=${gone}`)
    await send('PATCH', `/knowledge-bases/${folder}/data-sources/${moved}`, { knowledge_base_id: other })
    await send('PATCH', `/knowledge-bases/${folder}/data-sources/${renamed}`, { data_source_title: 'Sprocket' })
    const added = await add('added', 'The bearing is yellow.')
    await isIndexed([added])

    await server.end('SIGKILL')
    state.isHeld = false
    const before = model.requests.length
    server = await again()
    await expect
      .poll(async () => (await send('GET', `${base}/search-index`)).building, { ...PATIENCE, timeout: 120_000 })
      .toBeNull()
    expect((await send('GET', `${base}/search-index`)).serving).toEqual({ source: 'workspace', model: 'acme/meaning' })
    // The steps before the kill are not done again.
    const repeated = model.requests.slice(before).filter((request) => texts(request).some((t) => t.includes('part 1 ')))
    expect(repeated.length).toBeLessThan(2)

    expect((await find('yellow bearing'))[0].data_source_id).toBe(added)
    expect(model.requests.some((request) => texts(request).includes('yellow bearing'))).toBe(true)
    expect((await find('sprocket'))[0].data_source_id).toBe(renamed)
    expect((await find('blue gasket', other))[0].data_source_id).toBe(moved)
    expect((await find('red turbine')).map((hit: any) => hit.data_source_id)).not.toContain(gone)
    expect((await find('pump')).map((hit: any) => hit.data_source_id)).toContain(long[1])
    await server.end('SIGTERM')
  },
)

/** A server with two files, and an embedding provider of the workspace that does as it is told. */
async function start({ settings = {} }: { settings?: Record<string, string> } = {}) {
  const own = { status: 200 as number, headers: {} as Record<string, string> }
  const provider = await startModelServer({
    script: ({ protocol }) =>
      protocol === 'embeddings' && own.status !== 200
        ? { status: own.status, body: { error: { message: 'not now' } }, headers: own.headers }
        : undefined,
  })
  onTestFinished(() => provider.close())
  const app = await startTestChat({
    settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'silent', ...settings },
  })
  const drive = driveOf(app)
  const base = `/workspaces/${app.owner.workspaceId}`
  const path = `${base}/search-index`
  const folder = await drive.newFolder('Manuals')
  await drive.addFile(folder, { title: 'valve.txt', content: 'The valve opens at 40 degrees.', index: true })
  await drive.addFile(folder, { title: 'pump.txt', content: 'The pump is red.', index: true })
  await expect
    .poll(async () => (await drive.listFiles(folder)).data_sources.map((one: any) => one.status), PATIENCE)
    .toEqual(['successful', 'successful'])
  await app.succeed('PUT', `${base}/model-providers/acme`, {
    kind: 'openai-compatible',
    base_url: provider.openaiUrl,
    api_key: 'sk-a-key',
  })
  const get = async () => (await app.succeed('GET', path)).data
  return {
    ...app,
    own,
    provider,
    base,
    path,
    get,
    choose: async (source: string, model?: string) => (await app.succeed('PUT', path, { source, model })).data,
    isBuilt: () => expect.poll(async () => (await get()).building, PATIENCE).toBeNull(),
    find: async (query: string) =>
      (await app.succeed('GET', `/knowledge-bases/${folder}/search?explain=true&query=${query}`)).data.results,
  }
}

test('a model is tested, chosen, replaced by none, and given back to the environment', async () => {
  const { path, base, provider, model, get, choose, isBuilt, find, succeed, call, services } = await start({
    settings: { DOCENT_EMBEDDING_MODEL: 'openai-compatible/of-the-server' },
  })
  expect(await get()).toEqual({
    serving: { source: 'environment', model: 'openai-compatible/of-the-server' },
    environment: { model: 'openai-compatible/of-the-server' },
    local_models: [],
    building: null,
  })
  const tested = await succeed('POST', `${path}/test`, { model: 'acme/meaning' })
  expect(tested.data).toEqual({ is_ok: true, dimensions: 64, latency_ms: expect.any(Number), error_message: null })
  expect((await choose('workspace', 'acme/meaning')).building).toMatchObject({ state: 'building', files_done: 0 })
  await isBuilt()
  expect((await get()).serving).toEqual({ source: 'workspace', model: 'acme/meaning' })
  const asked = model.requests.length
  expect((await find('red pump'))[0]).toMatchObject({ title: 'pump.txt', explanation: { ranks: { meaning: 1 } } })
  expect(provider.requests.at(-1)!.body).toMatchObject({ model: 'meaning', input: ['red pump'] })
  expect(model.requests).toHaveLength(asked)
  expect(await call('DELETE', `${base}/model-providers/acme`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('embeddings') },
  })
  // The model that serves needs no build.
  expect((await choose('workspace', 'acme/meaning')).building).toBeNull()

  await choose('none')
  await isBuilt()
  expect((await get()).serving).toEqual({ source: 'none', model: null })
  expect((await find('red pump'))[0]).toMatchObject({ title: 'pump.txt', explanation: { ranks: { meaning: null } } })
  await choose('environment')
  await isBuilt()
  expect((await get()).serving).toEqual({ source: 'environment', model: 'openai-compatible/of-the-server' })
  expect((await find('red pump'))[0]).toMatchObject({ title: 'pump.txt', explanation: { ranks: { meaning: 1 } } })
  expect(model.requests.at(-1)!.body).toMatchObject({ model: 'of-the-server', input: ['red pump'] })
  await succeed('DELETE', `${base}/model-providers/acme`)
  const actions = await services.db
    .selectFrom('audit_entry')
    .select('details')
    .where('organization_id', '=', (await services.db.selectFrom('organization').select('id').execute())[0]!.id)
    .where('action', '=', 'workspace.search_index_changed')
    .orderBy('id')
    .execute()
  expect(actions.map(({ details }) => JSON.parse(details as string).source)).toEqual([
    'workspace',
    'none',
    'environment',
  ])
})

test('a provider that fails leaves the old index serving, and says why; what is chosen again goes on', async () => {
  const { path, own, get, choose, isBuilt, find, succeed } = await start()
  own.status = 401
  expect((await succeed('POST', `${path}/test`, { model: 'acme/meaning' })).data).toMatchObject({
    is_ok: false,
    dimensions: null,
    error_message: expect.stringContaining('(key, 401)'),
  })
  await choose('workspace', 'acme/meaning')
  await expect.poll(async () => (await get()).building?.state, PATIENCE).toBe('failed')
  expect((await get()).building.error_message).toContain('(key, 401)')
  expect((await find('red pump'))[0]).toMatchObject({ title: 'pump.txt', explanation: { ranks: { meaning: null } } })
  expect((await get()).serving).toEqual({ source: 'environment', model: null })

  // A provider that had too much is waited for: it waits as long as the provider says, and then continues by itself.
  Object.assign(own, { status: 429, headers: { 'retry-after': '6' } })
  await choose('workspace', 'acme/meaning')
  await expect.poll(async () => (await get()).building?.error_message, PATIENCE).toContain('429')
  expect((await get()).building.state).toBe('building')
  own.status = 200
  await isBuilt()
  expect((await get()).serving).toEqual({ source: 'workspace', model: 'acme/meaning' })
  // Queries go by words alone while the provider is away.
  own.status = 500
  expect((await find('red pump'))[0]).toMatchObject({ title: 'pump.txt', explanation: { ranks: { meaning: null } } })
})

test('a build that is cancelled leaves nothing, and one that is chosen instead of another takes its place', async () => {
  const { path, own, get, choose, isBuilt, succeed, services } = await start()
  Object.assign(own, { status: 429, headers: { 'retry-after': '100' } })
  await choose('workspace', 'acme/meaning')
  await expect.poll(async () => (await get()).building?.error_message, PATIENCE).toContain('429')
  expect((await succeed('DELETE', `${path}/build`)).data.building).toBeNull()
  expect((await succeed('DELETE', `${path}/build`)).data.building).toBeNull()
  await choose('workspace', 'acme/one')
  own.status = 200
  expect((await choose('workspace', 'acme/two')).building).toMatchObject({ model: 'acme/two' })
  await isBuilt()
  expect((await get()).serving).toEqual({ source: 'workspace', model: 'acme/two' })
  const [organization] = await services.db.selectFrom('organization').select('id').execute()
  const left = services.db.selectFrom('search_index_change').selectAll()
  expect(await left.where('organization_id', '=', organization!.id).execute()).toEqual([])
})

test('models that cannot be used are refused with what is missing', async () => {
  const { path, call } = await start()
  const rows = [
    [{ source: 'workspace' }, 'must be given'],
    [{ source: 'none', model: 'acme/meaning' }, 'source workspace'],
    [{ source: 'environment', model: 'acme/meaning' }, 'source workspace'],
    [{ source: 'workspace', model: 'meaning' }, 'PROVIDER/MODEL'],
    [{ source: 'workspace', model: 'nowhere/meaning' }, 'no model provider "nowhere"'],
    [{ source: 'workspace', model: 'openai/meaning' }, 'OPENAI_API_KEY'],
    [{ source: 'workspace', model: 'anthropic/meaning' }, 'no embedding models of anthropic'],
    [{ source: 'workspace', model: 'builtin/extractive' }, 'no embedding models of builtin'],
    [{ source: 'workspace', model: 'local/../../etc' }, 'named by its folder'],
    [{ source: 'workspace', model: 'local//etc' }, 'named by its folder'],
    [{ source: 'workspace', model: 'local/nothing-there' }, 'holds no embedding model'],
    [{ source: 'elsewhere' }, 'source'],
    [{ source: 'none', more: 1 }, 'more'],
  ] as const
  await everyRow(rows, async (body, why) => {
    const reply = await call('PUT', path, body)
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.body)).toContain(JSON.stringify(why).slice(1, -1))
  })
  const failed = await call('POST', `${path}/test`, { model: 'local/nothing-there' })
  expect(failed.body.data).toMatchObject({ is_ok: false, error_message: expect.stringContaining('models') })
})
