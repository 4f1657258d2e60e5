import { expect, onTestFinished, test } from 'vitest'
import { startTestChat } from './support/chat.ts'
import { everyRow } from './support/every-row.ts'
import { answer, startModelServer } from './support/model-server.ts'

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

test('one is added, tested, listed and answers at once; its key is never told', async () => {
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

test('a wrong key is told in words', async () => {
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
    server: { answers: 'openai-compatible/scripted', embeddings: null },
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
