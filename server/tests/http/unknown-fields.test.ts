import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { addRoutes } from '../../src/app.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { createLogger } from '../../src/platform/telemetry/logger.ts'
import { join } from '../support/access/people.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

/** Operations of the published contract, whose clients may send what this server does not know. */
const CONTRACT = [
  'POST /knowledge-bases',
  'GET /knowledge-bases',
  'GET /knowledge-bases/:knowledge_base_id',
  'PATCH /knowledge-bases/:knowledge_base_id',
  'DELETE /knowledge-bases/:knowledge_base_id',
  'GET /knowledge-bases/:knowledge_base_id/data-sources',
  'POST /knowledge-bases/:knowledge_base_id/data-sources/documents',
  'GET /knowledge-bases/:knowledge_base_id/data-sources/actions/download',
  'DELETE /knowledge-bases/:knowledge_base_id/data-sources',
  'POST /uploaded-files',
  'POST /workspaces/:workspace_id/virtual-users',
  'GET /workspaces/:workspace_id/virtual-users',
  'GET /workspaces/:workspace_id/virtual-users/:virtual_user_id',
  'PATCH /workspaces/:workspace_id/virtual-users/:virtual_user_id',
  'DELETE /workspaces/:workspace_id/virtual-users/:virtual_user_id',
  'POST /agents/:agent_id/chats',
  'POST /agents/:agent_id/chats/:chat_id/query',
  'POST /agents/:agent_id/chats/:chat_id/async_query',
  'GET /agents/:agent_id/chats/:chat_id/message/:message_id',
  'GET /agents/:agent_id/chats/:chat_id/messages',
  'DELETE /agents/:agent_id/chats/:chat_id/message/:message_id',
]

/** `POST /agents` and the like, of every operation that is registered. */
async function operationsOf(services: Parameters<typeof addRoutes>[1]): Promise<string[]> {
  const app = createHttpServer(createLogger('silent'))
  const found: string[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    const { operationId } = (schema ?? {}) as { operationId?: string }
    if (operationId)
      for (const one of [method].flat()) if (one !== 'HEAD') found.push(`${one} ${url.slice('/v1'.length)}`)
  })
  await addRoutes(app, services)
  await app.ready()
  await app.close()
  return found
}

/** Sends a body with every method, which `fetch` does not do with GET. */
async function send(url: string, method: string, headers: Record<string, string>, body: unknown) {
  const text = JSON.stringify(body)
  return new Promise<{ status?: number; body: any }>((resolve, reject) => {
    const length = String(Buffer.byteLength(text))
    const sent = request(url, {
      method,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
    })
    sent.once('response', (reply) => {
      json(reply).then((read) => resolve({ status: reply.statusCode, body: read }), reject)
    })
    sent.once('error', reject)
    sent.end(text)
  })
}

/** Bodies of several kinds: the field that tells them apart has to be there before others are looked at. */
const KIND: Record<string, object> = {
  'POST /agents/:agent_id/evaluation-sets/:evaluation_set_id/cases': { from: 'documents' },
}

/** A path with ids that are well formed, so that nothing but the unknown field or parameter is wrong. */
const fill = (path: string, workspaceId: string) =>
  path.replace(':workspace_id', workspaceId).replace(':provider', 'google').replaceAll(/:\w+/g, 'a'.repeat(24))

test('every operation that is not of the contract refuses an unknown field by its name', async () => {
  const app = await startTestApp()
  const { url, services, owner } = app
  const person = await join(app, { email: 'ada@example.com' })
  const operations = await operationsOf(services)
  expect(operations.length).toBeGreaterThan(90)
  expect(operations).toEqual(expect.arrayContaining(CONTRACT))
  const asKey = { 'x-api-key': owner.apiKey, 'x-docent-session': '1' }
  const asPerson = { cookie: person.state.cookie, 'x-docent-session': '1' }
  for (const operation of operations) {
    const [method, path] = operation.split(' ') as [string, string]
    const filled = fill(path, owner.workspaceId)
    const headers = path.startsWith('/account') ? asPerson : asKey
    const { status, body } = await send(`${url}/v1${filled}`, method, headers, { ...KIND[operation], no_such_field: 1 })
    if (CONTRACT.includes(operation)) expect(JSON.stringify(body), operation).not.toContain('no_such_field')
    else {
      const wrong = path.includes('/virtual-users/') ? 422 : 400
      expect({ status, code: body.error_code }, operation).toEqual({ status: wrong, code: 'VALIDATION_ERROR' })
      expect(body.message, operation).toContain('no_such_field')
    }
  }
})

test('an unknown field is named with the one that it may have been, also inside of others', async () => {
  const { call, owner } = await startTestApp()
  const keys = `/workspaces/${owner.workspaceId}/api-keys`
  const { id } = (await call('POST', '/agents', { name: 'A' })).body.data
  const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'F' })).body.data.id
  const refused: [method: string, path: string, body: object, message: string][] = [
    [
      'POST',
      keys,
      { name: 'K', expires_in: 60 },
      'The body has an unknown field: "expires_in" (did you mean expires_at?)',
    ],
    [
      'POST',
      keys,
      { name: 'K', scopes: { agents: [id] } },
      'scopes: has an unknown field: "agents" (did you mean agent_ids?)',
    ],
    ['POST', keys, { nmae: 'K' }, 'The body has an unknown field: "nmae" (did you mean name?)'],
    [
      'POST',
      keys,
      { name: 'K', scopes: { operations: ['me.get', 'nonsense.*'] } },
      'scopes.operations.1: is no operation: nonsense.*; /openapi.json names them as operationId',
    ],
    [
      'POST',
      keys,
      { name: 'K', scopes: { operations: ['chat.*'] } },
      'scopes.operations.0: is no operation: chat.* (did you mean chats.*?); /openapi.json names them as operationId',
    ],
    [
      'POST',
      keys,
      { name: 'K', scopes: {} },
      'scopes: must hold operations, agent_ids, knowledge_base_ids, virtual_user_ids or virtual_user_emails; null makes a key that is not narrowed',
    ],
    [
      'PATCH',
      `/knowledge-bases/${folder}/data-sources/${id}`,
      { title: 'T' },
      'The body has an unknown field: "title" (did you mean data_source_title?)',
    ],
    [
      'PATCH',
      `/agents/${id}`,
      { limits: { max_step: 3 } },
      'limits: has an unknown field: "max_step" (did you mean max_steps?)',
    ],
    [
      'PATCH',
      `/agents/${id}`,
      { instruction: 'Be kind.' },
      'The body has an unknown field: "instruction" (did you mean instructions?)',
    ],
    [
      'POST',
      `/agents/${id}/mcp-servers/actions/check`,
      { server: { name: 'x', uri: 'https://x.example' } },
      'server: has an unknown field: "uri" (did you mean url?)',
    ],
  ]
  for (const [method, path, body, message] of refused) {
    expect(await call(method, path, body), message).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', message },
    })
  }
  expect((await call('GET', keys)).body.data.total).toBe(1)
})

test('bodies of the contract go on taking unknown fields, but for the e-mail of a person', async () => {
  const { call, owner } = await startTestApp({}, { alone: true })
  const extra = { no_such_field: { deep: [1] } }
  const folder = await call('POST', '/knowledge-bases', { knowledge_base_name: 'F', ...extra })
  expect(folder.status).toBe(200)
  expect((await call('PATCH', `/knowledge-bases/${folder.body.data.id}`, extra)).status).toBe(200)
  const agent = (await call('POST', '/agents', { name: 'A', model: 'builtin/extractive' })).body.data.id
  const chat = await call('POST', `/agents/${agent}/chats`, extra)
  expect(chat.status).toBe(200)
  const query = {
    query: 'Hello',
    shortcut_fields_with_values: [{ field_name: 'a', field_value: 'b', ...extra }],
    ...extra,
  }
  expect((await call('POST', `/agents/${agent}/chats/${chat.body.data.chat.id}/query`, query)).status).toBe(200)
  const people = `/workspaces/${owner.workspaceId}/virtual-users`
  const person = await call('POST', people, { email: 'ada@example.com', ...extra })
  expect(person.status).toBe(200)
  const path = `${people}/${person.body.data.id}`
  expect((await call('PATCH', path, extra)).status).toBe(200)
  expect((await call('PATCH', path, { email: 'eve@example.com' })).status).toBe(422)
})

test('every operation that is not of the contract refuses an unknown parameter of its query string', async () => {
  const app = await startTestApp()
  const { url, services, owner } = app
  const person = await join(app, { email: 'ada@example.com' })
  for (const operation of await operationsOf(services)) {
    const [method, path] = operation.split(' ') as [string, string]
    // Everybody may call these: links that people pass on get parameters on their way.
    if (/^\/(session|shared|outputs|invitations\/|password-links|members\/:\w+\/picture)/.test(path)) continue
    const filled = fill(path, owner.workspaceId)
    const headers: Record<string, string> = path.startsWith('/account')
      ? { cookie: person.state.cookie, 'x-docent-session': '1' }
      : { 'x-api-key': owner.apiKey, 'x-docent-session': '1' }
    const { status, body } = await send(`${url}/v1${filled}?no_such_parameter=1`, method, headers, {})
    if (CONTRACT.includes(operation)) expect(JSON.stringify(body), operation).not.toContain('no_such_parameter')
    else {
      const wrong = path.includes('/virtual-users/') ? 422 : 400
      expect({ status, code: body.error_code }, operation).toEqual({ status: wrong, code: 'VALIDATION_ERROR' })
      expect(body.message, operation).toContain('"no_such_parameter"')
    }
  }
})

test('an unknown parameter is named with the one that it may have been', async () => {
  const { call } = await startTestApp()
  const folder = (await call('POST', '/knowledge-bases', { knowledge_base_name: 'F' })).body.data.id
  const agent = (await call('POST', '/agents', { name: 'A' })).body.data.id
  const refused = {
    [`/knowledge-bases/${folder}/search?query=kiln&filter={}`]:
      'The query string has an unknown parameter: "filter" (did you mean filters?)',
    '/agents?pagesize=2': 'The query string has an unknown parameter: "pagesize" (did you mean page_size?)',
    [`/agents/${agent}/chats?metadata=x`]:
      'The query string has an unknown parameter: "metadata"; its parameters are page, page_size, chat_type, virtual_user_email, search, project_id, archived, pinned, scope, status, feedback, from, to, sort, order',
    '/me?x=1&y=2': 'The query string has unknown parameters: "x", "y"; this operation has none',
  }
  for (const [path, message] of Object.entries(refused))
    expect(await call('GET', path), path).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', message },
    })
  expect((await call('GET', `/agents/${agent}/chats?metadata.team=x`)).status).toBe(200)
  expect((await call('GET', `/knowledge-bases/${folder}/data-sources?filter=x`)).status).toBe(200)
})
