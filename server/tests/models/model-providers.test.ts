import { expect, onTestFinished, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { formOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { answer, startModelServer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const KEY = 'sk-a-key-of-the-workspace-a1b2'
const LIST = { data: [{ id: 'small', context_length: 9_000 }, { id: 'large' }] }

/** A server whose environment has one provider, and another provider that a workspace may connect. */
async function start({ settings = {}, isAllowed = true }: { settings?: object; isAllowed?: boolean } = {}) {
  const own = await startModelServer({ script: () => answer('From the own one'), list: () => LIST })
  onTestFinished(() => own.close())
  const allowed: Record<string, string> = isAllowed ? { DOCENT_OUTBOUND_ALLOW: new URL(own.url).host } : {}
  const app = await startTestChat({
    script: () => answer('From the environment'),
    settings: { ...allowed, LOG_LEVEL: 'silent', ...settings },
  })
  const base = `/workspaces/${app.owner.workspaceId}`
  const fields = { kind: 'openai-compatible', base_url: own.openaiUrl, api_key: KEY }
  return { ...app, own, base, path: `${base}/model-providers`, fields }
}

const providerIn = ({ data }: any, name: string) => data.model_providers.find((one: any) => one.name === name)

test('one is added, tested, listed and answers at once; its key is never shown', async () => {
  const { own, path, fields, succeed, newAgent, newChat, ask, services, call } = await start()
  const made = await succeed('PUT', `${path}/acme`, fields)
  expect(made.data).toMatchObject({ name: 'acme', source: 'workspace', has_key: true, key_hint: '…a1b2' })
  expect(JSON.stringify(made) + JSON.stringify(await succeed('GET', path))).not.toContain(KEY)
  expect(JSON.stringify(await services.db.selectFrom('model_provider').selectAll().execute())).not.toContain(KEY)
  expect(JSON.stringify(await services.db.selectFrom('audit_entry').selectAll().execute())).not.toContain('a1b2')

  const { data: tested } = await succeed('POST', `${path}/acme/test`, {})
  expect(tested).toEqual({ is_ok: true, latency_ms: expect.any(Number), models: 2, error_message: null })
  const { data: models } = await succeed('GET', '/models')
  expect(models.providers.find(({ id }: any) => id === 'acme')).toMatchObject({
    source: 'workspace',
    is_configured: true,
    models: ['acme/small', 'acme/large'],
  })
  expect(models.models).toContainEqual(expect.objectContaining({ id: 'acme/small', context_tokens: 9_000 }))

  const agentId = await newAgent({ model: 'acme/small' })
  const reply = await ask('Hello', {}, await newChat({}, agentId))
  expect(reply.body.data.text).toBe('From the own one')
  expect(own.requests.at(-1)!.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(own.requests.at(-1)!.body.model).toBe('small')

  expect(await call('DELETE', `${path}/acme`)).toMatchObject({
    status: 409,
    body: { error_code: 'MODEL_PROVIDER_IN_USE', message: expect.stringContaining('Guide') },
  })
  await succeed('PATCH', `/agents/${agentId}`, { model: null })
  await succeed('DELETE', `${path}/acme`)
  expect(await call('PATCH', `/agents/${agentId}`, { model: 'acme/small' })).toMatchObject({ status: 400 })
})

test('that of the environment is shown as such, and cannot be changed', async () => {
  const { path, fields, succeed, call } = await start()
  expect(providerIn(await succeed('GET', path), 'openai-compatible')).toMatchObject({
    source: 'environment',
    key_hint: null,
    base_url: null,
  })
  const refused = { status: 409, body: { error_code: 'MODEL_PROVIDER_BY_ENVIRONMENT' } }
  expect(await call('PUT', `${path}/openai-compatible`, fields)).toMatchObject(refused)
  expect(await call('DELETE', `${path}/openai-compatible`)).toMatchObject(refused)
})

test('a changed key counts from the next answer on, and does not go to another address', async () => {
  const { own, path, fields, succeed, newAgent, newChat, ask, call } = await start()
  await succeed('PUT', `${path}/acme`, fields)
  const chat = await newChat({}, await newAgent({ model: 'acme/small' }))
  await ask('One', {}, chat)
  await succeed('PUT', `${path}/acme`, { ...fields, api_key: 'sk-another-key-c3d4' })
  await ask('Two', {}, chat)
  expect(own.requests.at(-1)!.headers.authorization).toBe('Bearer sk-another-key-c3d4')
  const { api_key: _, ...withoutKey } = fields
  expect((await succeed('PUT', `${path}/acme`, withoutKey)).data.key_hint).toBe('…c3d4')
  const elsewhere = { ...withoutKey, base_url: `${own.openaiUrl}/elsewhere` }
  expect(await call('PUT', `${path}/acme`, elsewhere)).toMatchObject({ status: 400 })
  // The stored key is not sent to a draft's address either.
  const before = own.requests.length
  await call('POST', `${path}/acme/test`, elsewhere)
  const asked = own.requests.slice(before).map(({ headers }) => headers.authorization)
  expect(asked.filter(Boolean)).toEqual([])
})

test('an address in a private network is refused, as a setting, at a test and at an answer', async () => {
  const { own, path, fields, call, succeed } = await start({ isAllowed: false })
  for (const [method, url] of [
    ['PUT', `${path}/acme`],
    ['POST', `${path}/acme/test`],
  ] as const)
    expect(await call(method, url, fields)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'base_url', message: expect.stringContaining('DOCENT_OUTBOUND_ALLOW') }] },
    })
  // A name shows where it leads only when it is looked up.
  const named = { ...fields, base_url: own.openaiUrl.replace('127.0.0.1', 'localhost') }
  await succeed('PUT', `${path}/acme`, named)
  const { data } = await succeed('POST', `${path}/acme/test`, {})
  expect(data).toMatchObject({ is_ok: false, models: null })
  expect(data.error_message).toContain('DOCENT_OUTBOUND_ALLOW')
  const checked = await succeed('POST', '/models/actions/check', { model: 'acme/small' })
  expect(checked.data).toMatchObject({
    answers: false,
    error_message: expect.stringContaining('DOCENT_OUTBOUND_ALLOW'),
  })
  expect(own.requests).toEqual([])
})

test('a wrong key is explained in words', async () => {
  const refusing = await startModelServer({ list: () => undefined })
  onTestFinished(() => refusing.close())
  const { path, succeed } = await start({ settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.1' } })
  const draft = { kind: 'openai-compatible', base_url: `${refusing.url}/v1` }
  const { data } = await succeed('POST', `${path}/new/test`, draft)
  expect(data).toMatchObject({ is_ok: false, error_message: expect.stringContaining('no list of its models') })
  const gone = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:9/v1' }
  expect((await succeed('POST', `${path}/new/test`, gone)).data.error_message).toContain('nothing listens there')
})

test('the default for answers holds for agents that name none', async () => {
  const { path, base, fields, succeed, ask, call } = await start()
  expect((await ask('Hello')).body.data.text).toBe('From the environment')
  await succeed('PUT', `${path}/acme`, fields)
  const { data } = await succeed('PUT', `${base}/model-defaults`, { answers: 'acme/small' })
  expect(data).toEqual({
    answers: 'acme/small',
    summaries: null,
    titles: null,
    transcription: null,
    reranking: null,
    server: { answers: 'openai-compatible/scripted', embeddings: null, reranking: null },
  })
  expect((await succeed('GET', `${base}/model-defaults`)).data).toEqual(data)
  expect((await ask('Hello')).body.data.text).toBe('From the own one')
  expect((await succeed('GET', '/models')).data.default_model).toBe('acme/small')
  expect(await call('DELETE', `${path}/acme`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('default') },
  })
  expect(await call('PUT', `${base}/model-defaults`, { answers: 'nowhere/small' })).toMatchObject({ status: 400 })
  await succeed('PUT', `${base}/model-defaults`, {})
  expect((await ask('Hello')).body.data.text).toBe('From the environment')
})

test('a run remembers as much of a chat as the window holds that the provider lists, and the rest is summed up', async () => {
  const { own, path, fields, succeed, newAgent, newChat, ask } = await start()
  await succeed('PUT', `${path}/acme`, fields)
  /** Characters of earlier turns that went along with the last of four long questions. */
  async function remembered(model: string): Promise<number> {
    const chat = await newChat({}, await newAgent({ model: `acme/${model}` }))
    for (const name of ['first', 'second', 'third', 'fourth'])
      expect((await ask(`the ${name} question ${'word '.repeat(1_600)}`, {}, chat)).status).toBe(200)
    const isLast = ({ body }: (typeof own.requests)[number]) =>
      body.model === model && body.messages.at(-1).content.startsWith('the fourth ')
    const turns: { content: string }[] = own.requests.find(isLast)!.body.messages.slice(1, -1)
    return turns.reduce((sum, { content }) => sum + content.length, 0)
  }
  expect(await remembered('large')).toBeGreaterThan(24_000)
  expect(await remembered('small')).toBeLessThan(14_000)
  const isSummary = ({ body }: (typeof own.requests)[number]) =>
    body.model === 'small' && !body.tools && JSON.stringify(body.messages).includes('the first question')
  await expect.poll(() => own.requests.some(isSummary)).toBe(true)
})

test('a provider that lists its models slowly does not hold up an answer', async () => {
  let waiting = 0
  const list = ({ left }: { left: Promise<void> }) => {
    waiting++
    return left.then(() => {
      waiting--
    })
  }
  const own = await startModelServer({ script: () => answer('Here'), list })
  onTestFinished(() => own.close())
  const { succeed, newAgent, newChat, ask, owner } = await startTestChat({
    settings: { DOCENT_OUTBOUND_ALLOW: new URL(own.url).host },
  })
  const fields = { kind: 'openai-compatible', base_url: own.openaiUrl, api_key: KEY }
  await succeed('PUT', `/workspaces/${owner.workspaceId}/model-providers/acme`, fields)
  const chat = await newChat({}, await newAgent({ model: 'acme/any' }))
  expect((await ask('Hello', {}, chat)).body.data.text).toBe('Here')
  expect(waiting).toBe(1)
})

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Vendors' own protocols: the list that each gives, and what carries the key and the picture in a request. */
const VENDORS = [
  {
    kind: 'anthropic',
    address: '/v1',
    lists: {
      'GET /v1/models?limit=1000': {
        data: [{ id: 'claude-x', max_input_tokens: 90_000, capabilities: { image_input: { supported: true } } }],
      },
    },
    model: 'claude-x',
    path: '/v1/messages',
    key: 'x-api-key',
    picture: '"type":"image"',
  },
  {
    kind: 'google',
    address: '/v1beta',
    lists: {
      'GET /v1beta/models?pageSize=1000': {
        models: [{ name: 'models/gemini-x', inputTokenLimit: 90_000, supportedGenerationMethods: ['generateContent'] }],
      },
    },
    model: 'gemini-x',
    path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    key: 'x-goog-api-key',
    picture: '"inlineData"',
  },
  {
    kind: 'ollama',
    address: '',
    lists: {
      'GET /api/tags': { models: [{ name: 'house-model:8b' }] },
      'POST /api/show house-model:8b': {
        capabilities: ['completion', 'vision', 'tools'],
        model_info: { 'qwen3vl.context_length': 90_000 },
      },
    },
    model: 'house-model:8b',
    path: '/v1/chat/completions',
    key: null,
    picture: '"image_url"',
  },
]

test('Anthropic, Google and Ollama of a workspace are listed, answer and see in their own protocols', async () => {
  const lists: Record<string, unknown> = Object.assign({}, ...VENDORS.map((vendor) => vendor.lists))
  const own = await startModelServer({
    script: () => answer('Seen'),
    list: ({ method, path, body }) => lists[[method, path, body?.model].filter(Boolean).join(' ')],
  })
  onTestFinished(() => own.close())
  const { path, succeed, newAgent, newChat, ask } = await start({
    settings: { DOCENT_OUTBOUND_ALLOW: new URL(own.url).host },
  })
  for (const { kind, address, model, path: asked, key, picture } of VENDORS) {
    const fields = { kind, base_url: own.url + address, ...(key && { api_key: KEY }) }
    await succeed('PUT', `${path}/${kind}`, fields)
    const { data: tested } = await succeed('POST', `${path}/${kind}/test`, {})
    expect(tested, kind).toMatchObject({ is_ok: true, models: 1 })
    const { data: models } = await succeed('GET', '/models')
    expect(models.models).toContainEqual(
      expect.objectContaining({
        id: `${kind}/${model}`,
        context_tokens: 90_000,
        sees_pictures: true,
        takes_tools: true,
      }),
    )
    const agentId = await newAgent({ model: `${kind}/${model}` })
    expect((await succeed('GET', `/agents/${agentId}/model`)).data).toEqual({
      model: `${kind}/${model}`,
      can_converse: true,
      sees_pictures: true,
    })
    const { data: fileId } = await succeed('POST', '/uploaded-files', formOf(PICTURE, 'dot.png'))
    const reply = await ask('Describe it', { uploaded_files: [fileId] }, await newChat({}, agentId))
    expect(reply.body.data?.text, JSON.stringify(reply.body)).toBe('Seen')
    const request = own.requests.at(-1)!
    expect(request.path).toBe(asked)
    if (key) expect(request.headers[key]).toBe(KEY)
    expect(JSON.stringify(request.body)).toContain(picture)
  }
})

test('a model that is chosen for titles names chats that nobody has named', async () => {
  const { own, path, base, fields, succeed, ask, newChat, call } = await start()
  await succeed('PUT', `${path}/acme`, fields)
  expect(await call('PUT', `${base}/model-defaults`, { titles: 'builtin/extractive' })).toMatchObject({ status: 400 })
  await succeed('PUT', `${base}/model-defaults`, { titles: 'acme/small' })
  const titleOf = async (chat: string) => (await succeed('GET', chat)).data.title
  const unnamed = await newChat({ title: 'How often does the lamp…' })
  const named = await newChat({ title: 'Mine' })
  await ask('Hello', {}, named)
  await ask('How often does the lamp turn?', {}, unnamed)
  await expect.poll(() => titleOf(unnamed), { timeout: 10_000 }).toBe('From the own one')
  expect(own.requests).toHaveLength(1)
  expect(JSON.stringify(own.requests[0]!.body)).toContain('How often does the lamp turn?')
  await ask('And now?', {}, unnamed)
  expect(await titleOf(named)).toBe('Mine')
  expect(own.requests).toHaveLength(1)
})

test('wrong settings are refused', async () => {
  const { path, fields, call } = await start()
  const rows: [string, object][] = [
    ['Acme', fields],
    ['builtin', fields],
    ['acme', { ...fields, kind: 'other' }],
    ['acme', { ...fields, base_url: 'ftp://example.com' }],
    ['acme', { ...fields, base_url: null }],
    ['acme', { kind: 'openai' }],
    ['openai', fields],
  ]
  await everyRow(rows, async ([name, body]) => {
    expect(await call('PUT', `${path}/${name}`, body)).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR' },
    })
  })
})
