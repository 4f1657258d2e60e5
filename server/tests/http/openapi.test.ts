import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
const openapi = JSON.parse(committed)
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

interface Operation {
  /** `GET /v1/agents/{agent_id}` */
  route: string
  operation: any
}

const operations: Operation[] = Object.entries<any>(openapi.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation: item[method],
  })),
)

/** Follows `$ref`s. */
function resolved(schema: any): any {
  if (!schema?.$ref) return schema
  return resolved(
    schema.$ref
      .slice(2)
      .split('/')
      .reduce((at: any, name: string) => at?.[name], openapi),
  )
}

/** Checks every operation; each one that does not hold is named. */
function checkEach(check: (at: Operation) => void): void {
  expect(operations.length).toBeGreaterThan(20)
  const failures: string[] = []
  for (const at of operations) {
    try {
      check(at)
    } catch (error) {
      failures.push(`${at.route}: ${(error as Error).message}`)
    }
  }
  expect(failures).toEqual([])
}

test('the description of the API is served without a key, as it is committed', async () => {
  const { url } = await startTestApp()
  const reply = await fetch(`${url}/openapi.json`)
  expect(reply.headers.get('content-type')).toContain('application/json')
  expect(await reply.text()).toBe(committed)
  expect(openapi.openapi).toMatch(/^3\.1\./)
  expect((await fetch(`${url}/docs/nothing-here`)).status).toBe(404)
})

test('every operation has an id of its own, one tag and a summary', () => {
  checkEach(({ operation: { operationId, tags, summary } }) => {
    expect(operationId).toMatch(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/)
    expect(tags).toHaveLength(1)
    expect(summary).toMatch(/^[A-Z].{5,}/)
  })
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(ids).toEqual([...new Set(ids)])
})

test('every operation describes what a success looks like', () => {
  checkEach(({ operation }) => {
    const schemas = Object.values<any>(operation.responses[200].content ?? {}).map(({ schema }) => schema)
    expect(schemas.length).toBeGreaterThan(0)
    for (const schema of schemas) expect(schema).toBeTruthy()
  })
})

test('every operation describes its errors in the one form, and 401 if it wants a key', () => {
  checkEach(({ operation }) => {
    const errors = Object.keys(operation.responses).filter((status) => Number(status) >= 400)
    expect(errors.length).toBeGreaterThan(0)
    if (operation.security?.length !== 0) expect(errors).toContain('401')
    for (const status of errors) {
      const { schema } = operation.responses[status].content['application/json']
      expect(resolved(schema).required).toEqual(expect.arrayContaining(['error_code', 'message']))
    }
  })
})

test('every operation describes each parameter of its path', () => {
  checkEach(({ route, operation }) => {
    const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = (operation.parameters ?? []).filter((one: any) => one.in === 'path').map((one: any) => one.name)
    expect(described.sort()).toEqual(names.sort())
  })
})

test('no reference leads nowhere', () => {
  const refs = [...committed.matchAll(/"\$ref": ?"([^"]+)"/g)].map(([, ref]) => ref!)
  expect(refs.length).toBeGreaterThan(0)
  expect([...new Set(refs)].filter(($ref) => !resolved({ $ref }))).toEqual([])
})

/** Operations whose answers are files, of which one kind is JSON. */
const WITHOUT_EXAMPLE = ['chats.export']

test('every operation that answers in JSON has an example, taken from a test', () => {
  const without = operations
    .map(({ operation }) => operation)
    .filter(({ responses }) => responses[200].content?.['application/json'])
    .filter(({ responses }) => responses[200].content['application/json'].example === undefined)
  expect(without.map(({ operationId }) => operationId).filter((id) => !WITHOUT_EXAMPLE.includes(id))).toEqual([])
})

test('no example holds an address of a test, a path of a machine, or a token that looks real', () => {
  const telling =
    /(127\.0\.0\.1|localhost)(:|%3A)\d|\/(tmp|dev|home|root)\/|(?<![A-Za-z0-9])(dc[a-z]|whsec|sk|xox[a-z])[_-](?!EXAMPLE|6740a1b2c3d4e5f6a7b8)[\w-]{16}|[A-Z2-7]{32}|%2F(?!6740a1b2)[0-9a-f]{24}/
  checkEach(({ operation }) => {
    const { parameters = [], requestBody, responses } = operation
    const examples = JSON.stringify([parameters, requestBody?.content, responses], (key, value) =>
      key === 'schema' || key === 'description' ? undefined : value,
    )
    expect(telling.exec(examples + JSON.stringify(operation['x-codeSamples']))?.[0]).toBeUndefined()
  })
})

test('each error of an operation is named with its code and its meaning', () => {
  checkEach(({ operation }) => {
    for (const [status, { description }] of Object.entries<any>(operation.responses))
      if (Number(status) >= 400) expect(description, status).toMatch(/^`[A-Z_]+`: [A-Z]/)
  })
})

test('the webhook is described, and code that calls the operation stands beside each', () => {
  const { post } = openapi.webhooks['message.answered']
  expect(resolved(post.requestBody.content['application/json'].schema).properties.data.required).toContain('response')
  checkEach(({ operation }) => {
    const samples = operation['x-codeSamples'].map(({ label, source }: any) => [label, source])
    expect(samples).toEqual(
      expect.arrayContaining([
        ['curl', expect.stringMatching(/^curl 'https/)],
        ['TypeScript', expect.stringMatching(/docent\./)],
        ['Python', expect.stringMatching(/docent\./)],
      ]),
    )
  })
})

test('both ways to send a key are described', () => {
  expect(Object.values(openapi.components.securitySchemes)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'apiKey', in: 'header', name: 'x-api-key' }),
      expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    ]),
  )
})

test('every route of the contract is described', () => {
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
  expect(operations.map(({ route }) => route)).toEqual(expect.arrayContaining(contract))
})

test('every event of a stream is described', () => {
  const query = operations.find(({ route }) => route.endsWith('/query'))!.operation
  const union = resolved(query.responses[200].content['text/event-stream'].schema)
  const types = (union.oneOf ?? union.anyOf).flatMap((one: any) => {
    const { const: constant, enum: several } = resolved(one).properties.type
    return several ?? [constant]
  })
  const events = ['metadata', 'ping', 'reasoning', 'end_reasoning', 'response', 'end_response', 'live_update', 'error']
  expect(types).toEqual(expect.arrayContaining(events))
})
