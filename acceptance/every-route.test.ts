import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { expectError, request } from './support/api.ts'
import { keyedRoutes, openapi, pathWith, resolved, routes } from './support/routes.ts'
import { target } from './support/target.ts'
import { freshId, ID } from './support/values.ts'

const named = <T extends { method: string; path: string }>(list: T[]) =>
  list.map((route) => [`${route.method} ${route.path}`, route] as const)

describe.each(named(keyedRoutes))('%s', (_, { method, path }) => {
  const url = pathWith(path, freshId)

  test('without a key is 401 UNAUTHORIZED with a request id', async () => {
    const reply = await request(method, url)
    expectError(reply, 401, 'UNAUTHORIZED')
    expect(reply.headers.get('x-request-id')).toMatch(ID)
    expect(Object.keys(reply.body)).toEqual(['error_code', 'message'])
  })

  test('with a wrong key is 401 UNAUTHORIZED', async () => {
    const send = () => request(method, url, { headers: { 'x-api-key': `dct_${'x'.repeat(46)}` } })
    let reply = await send()
    // So many routes, so many wrong keys: an address that has failed too often is told to wait.
    while (reply.status === 429) {
      await delay(Number(reply.headers.get('retry-after')) * 1000)
      reply = await send()
    }
    expectError(reply, 401, 'UNAUTHORIZED')
  })

  test('with a key in the URL is 401 UNAUTHORIZED', async () => {
    expectError(await request(method, `${url}?x-api-key=${target.key}&api_key=${target.key}`), 401, 'UNAUTHORIZED')
  })

  if (method !== 'GET')
    test('with malformed JSON is never a failure of the server', async () => {
      const reply = await request(method, url, { headers: { 'x-api-key': target.key }, body: '{"a":' })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.status).toBeLessThan(500)
      expect(reply.body).toMatchObject({ error_code: expect.any(String), message: expect.any(String) })
    })
})

describe.each(named(routes))('%s in /openapi.json', (_, { operation }) => {
  const statuses = Object.keys(operation.responses)

  test('has an operationId', () => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/)
  })

  test('has a summary', () => {
    expect(operation.summary).toMatch(/^[A-Z].{5,}/)
  })

  test('describes what a success looks like', () => {
    const { content } = operation.responses[200]
    const schemas = Object.values<any>(content ?? {}).map(({ schema }) => schema)
    expect(schemas.length).toBeGreaterThan(0)
    for (const schema of schemas) expect(schema).toBeTruthy()
  })

  test('describes each error in the one form', () => {
    const errors = statuses.filter((status) => Number(status) >= 400)
    expect(errors.length).toBeGreaterThan(0)
    for (const status of errors) {
      const { schema } = operation.responses[status].content['application/json']
      expect(resolved(schema).required).toEqual(expect.arrayContaining(['error_code', 'message']))
    }
  })

  test('describes each parameter of its path', () => {
    const { path } = routes.find((route) => route.operation === operation)!
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = (operation.parameters ?? []).filter((one: any) => one.in === 'path').map((one: any) => one.name)
    expect(described.sort()).toEqual(names.sort())
  })
})

describe.each(named(keyedRoutes))('%s', (_, { operation }) => {
  test('has a 401 in /openapi.json', () => {
    expect(Object.keys(operation.responses)).toContain('401')
  })
})

describe('/openapi.json', () => {
  test('is OpenAPI 3.1', () => {
    expect(openapi.openapi).toMatch(/^3\.1\./)
  })

  test('needs no key', async () => {
    expect((await request('GET', '/openapi.json')).status).toBe(200)
  })

  test('gives no operationId twice', () => {
    const ids = routes.map(({ operation }) => operation.operationId)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('has no reference that leads nowhere', () => {
    const refs = [...JSON.stringify(openapi).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!)
    expect(refs.length).toBeGreaterThan(0)
    for (const $ref of new Set(refs)) expect(resolved({ $ref }), $ref).toBeTruthy()
  })

  test('knows both ways to send a key', () => {
    expect(Object.values(openapi.components.securitySchemes)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'apiKey', in: 'header', name: 'x-api-key' }),
        expect.objectContaining({ type: 'http', scheme: 'bearer' }),
      ]),
    )
  })

  const contract = [
    'POST /v1/knowledge-bases',
    'GET /v1/knowledge-bases',
    'GET /v1/knowledge-bases/{knowledge_base_id}',
    'PATCH /v1/knowledge-bases/{knowledge_base_id}',
    'DELETE /v1/knowledge-bases/{knowledge_base_id}',
    'GET /v1/knowledge-bases/{knowledge_base_id}/data-sources',
    'DELETE /v1/knowledge-bases/{knowledge_base_id}/data-sources',
    'POST /v1/knowledge-bases/{knowledge_base_id}/data-sources/documents',
    'GET /v1/knowledge-bases/{knowledge_base_id}/data-sources/actions/download',
    'POST /v1/uploaded-files',
    'POST /v1/workspaces/{workspace_id}/virtual-users',
    'GET /v1/workspaces/{workspace_id}/virtual-users',
    'GET /v1/workspaces/{workspace_id}/virtual-users/{virtual_user_id}',
    'PATCH /v1/workspaces/{workspace_id}/virtual-users/{virtual_user_id}',
    'DELETE /v1/workspaces/{workspace_id}/virtual-users/{virtual_user_id}',
    'POST /v1/agents/{agent_id}/chats',
    'POST /v1/agents/{agent_id}/chats/{chat_id}/query',
    'POST /v1/agents/{agent_id}/chats/{chat_id}/async_query',
    'GET /v1/agents/{agent_id}/chats/{chat_id}/message/{message_id}',
    'DELETE /v1/agents/{agent_id}/chats/{chat_id}/message/{message_id}',
    'GET /v1/agents/{agent_id}/chats/{chat_id}/messages',
  ]
  test.each(contract)('has %s of the contract', (route) => {
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(route)
  })

  test.each(['metadata', 'ping', 'reasoning', 'end_reasoning', 'response', 'end_response', 'live_update', 'error'])(
    'describes the event %s of a stream',
    (type) => {
      const { responses } = routes.find(({ path }) => path.endsWith('/query'))!.operation
      const union = resolved(responses[200].content['text/event-stream'].schema)
      const types = (union.oneOf ?? union.anyOf).flatMap((one: any) => {
        const { const: constant, enum: several } = resolved(one).properties.type
        return several ?? [constant]
      })
      expect(types).toContain(type)
    },
  )
})

describe('/docs', () => {
  test('is a page, without a key', async () => {
    const reply = await request('GET', '/docs')
    const page =
      reply.status >= 300 && reply.status < 400
        ? await request('GET', new URL(reply.headers.get('location')!, `${target.url}/docs`).pathname)
        : reply
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)])
  })

  test('loads nothing from another host', async () => {
    const { text } = await request('GET', '/docs')
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(address).not.toMatch(/^(https?:)?\/\//)
  })

  test('serves every file that it loads', async () => {
    const { text } = await request('GET', '/docs')
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => new URL(address!, `${target.url}/docs`).pathname,
    )
    for (const address of addresses) expect(await request('GET', address), address).toMatchObject({ status: 200 })
  })

  test('forbids the browser to ask other hosts', async () => {
    const policy = (await request('GET', '/docs')).headers.get('content-security-policy')
    expect(policy).toMatch(/default-src 'self'/)
    expect(policy).not.toMatch(/https?:|\*/)
  })
})
