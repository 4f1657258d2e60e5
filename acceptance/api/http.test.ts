import net from 'node:net'
import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, expectError, request } from '../support/api.ts'
import { makeFolder, newConversation } from '../support/make.ts'
import { target } from '../support/target.ts'
import { freshId, ID, malformedIds, unique } from '../support/values.ts'

describe('the error body', () => {
  test('is {error_code, message}, with the code in UPPER_SNAKE', async () => {
    const { body } = await api.get(`/agents/${freshId()}`)
    expect(body).toEqual({ error_code: expect.stringMatching(/^[A-Z][A-Z_]*[A-Z]$/), message: expect.any(String) })
  })

  test('of a validation error adds details with path and message', async () => {
    const { body } = await api.post('/knowledge-bases', { knowledge_base_name: '', user_defined_tags: 5 })
    expect(new Set(body.details.map(({ path }: any) => path))).toEqual(
      new Set(['knowledge_base_name', 'user_defined_tags']),
    )
    for (const detail of body.details) expect(detail).toEqual({ path: expect.any(String), message: expect.any(String) })
  })

  test('of a value inside a list names its place', async () => {
    const { body } = await api.post('/knowledge-bases', { knowledge_base_name: 'x', user_defined_tags: ['a', 5] })
    expect(body.details[0].path).toMatch(/^user_defined_tags[.[/]1\]?$/)
  })

  test.each([
    ['a stack trace', /\bat .+:\d+:\d+/],
    ['SQL', /\bselect\b .+ \bfrom\b|sqlite/i],
    ['a path of the server', /\/(?:home|tmp|work|usr|srv|node_modules)\//],
  ])('never holds %s', async (_, trace) => {
    const replies = await Promise.all([
      api.get(`/agents/${freshId()}`),
      api.post('/knowledge-bases', '{'),
      api.get("/knowledge-bases/'%20or%201=1"),
      api.get('/nowhere'),
      api.put('/me', {}),
    ])
    for (const { text, status } of replies) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toMatch(trace)
    }
  })
})

describe('routes', () => {
  test('paths that nothing has are 404 NOT_FOUND', () =>
    everyRow(['/v1/nowhere', '/v1', '/v1/knowledge-bases/x/y/z', '/v2/me', '/v1/agents/x/chats/y/zzz'], async (path) =>
      expectError(await request('GET', path, { headers: { 'x-api-key': target.key } }), 404, 'NOT_FOUND'),
    ))

  test('an unknown route is 404 also without a key', async () => {
    expectError(await request('GET', '/v1/nowhere'), 404, 'NOT_FOUND')
  })

  test('methods that a path does not have are 405 METHOD_NOT_ALLOWED, and Allow says which it has', () =>
    everyRow(
      [
        ['PUT', '/me'],
        ['DELETE', '/me'],
        ['POST', '/me'],
        ['PUT', '/knowledge-bases'],
        ['DELETE', '/knowledge-bases'],
        ['GET', '/uploaded-files'],
        ['PUT', `/agents/${freshId()}`],
        ['GET', `/agents/${freshId()}/chats/${freshId()}/query`],
      ],
      async (method, path) => {
        const reply = await request(method, `/v1${path}`, { headers: { 'x-api-key': target.key } })
        expectError(reply, 405, 'METHOD_NOT_ALLOWED')
        expect(reply.headers.get('allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
        expect(reply.headers.get('allow')!.split(', ')).not.toContain(method)
      },
    ))
})

describe('the order of checks', () => {
  test('the route comes before authentication', async () => {
    expectError(await request('POST', '/v1/nowhere', { body: '{' }), 404, 'NOT_FOUND')
    expectError(await request('PUT', '/v1/me', { body: '{' }), 405, 'METHOD_NOT_ALLOWED')
  })

  test('authentication comes before the body', async () => {
    expectError(await request('POST', '/v1/knowledge-bases', { body: '{' }), 401, 'UNAUTHORIZED')
  })

  test('authentication comes before existence', async () => {
    expectError(await request('GET', `/v1/agents/${freshId()}`), 401, 'UNAUTHORIZED')
  })

  test('validation comes before existence', async () => {
    expectError(await api.patch(`/knowledge-bases/${freshId()}`, { knowledge_base_name: '' }), 400, 'VALIDATION_ERROR')
    expectError(await api.get(`/knowledge-bases/${freshId()}/data-sources?page=x`), 400, 'VALIDATION_ERROR')
  })

  test('existence comes before state', async () => {
    const { name } = await makeFolder()
    const body = { knowledge_base_name: name, parent_kb_id: freshId() }
    expectError(await api.post('/knowledge-bases', body), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })
})

describe('JSON bodies', () => {
  const post = (body: string | Uint8Array, headers?: Record<string, string>) =>
    api.post('/knowledge-bases', body, headers)

  test('bodies that are malformed or of no use are 400 VALIDATION_ERROR', () =>
    everyRow(
      [
        ['cut off', '{"knowledge_base_name":'],
        ['with a comma at the end', '{"knowledge_base_name":"x",}'],
        ['with single quotes', "{'knowledge_base_name':'x'}"],
        ['with something after it', '{"knowledge_base_name":"x"} x'],
        ['NaN', '{"knowledge_base_name":NaN}'],
        ['empty', ''],
        ['a number', '5'],
        ['a text', '"x"'],
        ['a list', '[]'],
        ['null', 'null'],
        ['nested 33 deep', `{"knowledge_base_name":"x","a":${'['.repeat(32)}${']'.repeat(32)}}`],
        ['nested 100,000 deep', '['.repeat(100_000)],
        ['with an escaped zero character', '{"knowledge_base_name":"a\\u0000"}'],
        ['with half a surrogate pair', '{"knowledge_base_name":"a\\ud800"}'],
        ['with a zero character in an unknown field', '{"knowledge_base_name":"x","other":"\\u0000"}'],
      ],
      async (_, body) => expectError(await post(body), 400, 'VALIDATION_ERROR'),
    ))

  test('that are no UTF-8 are 400 VALIDATION_ERROR', async () => {
    const bytes = Buffer.concat([Buffer.from('{"knowledge_base_name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    expectError(await post(bytes), 400, 'VALIDATION_ERROR')
  })

  test('nested 32 deep are taken', async () => {
    const body = `{"knowledge_base_name":${JSON.stringify(unique())},"a":${'['.repeat(31)}${']'.repeat(31)}}`
    expect((await post(body)).status).toBe(200)
  })

  test('over 1 MiB are 413 PAYLOAD_TOO_LARGE', async () => {
    const body = JSON.stringify({ knowledge_base_name: 'x', other: 'y'.repeat(1024 * 1024) })
    expectError(await post(body), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('of just under 1 MiB are read', async () => {
    const body = { knowledge_base_name: unique(), other: 'y'.repeat(1024 * 1024 - 200) }
    expect((await api.post('/knowledge-bases', body)).status).toBe(200)
  })

  test('of other types are 415 UNSUPPORTED_MEDIA_TYPE', () =>
    everyRow(
      ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
      async (type) =>
        expectError(await post('{"knowledge_base_name":"x"}', { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE'),
    ))

  test('of JSON, however the type is spelled, are read', () =>
    everyRow(['application/json; charset=utf-8', 'Application/JSON'], async (type) => {
      const body = JSON.stringify({ knowledge_base_name: unique() })
      expect((await post(body, { 'content-type': type })).status).toBe(200)
    }))

  test('with __proto__ do no harm', async () => {
    const reply = await post(`{"knowledge_base_name":${JSON.stringify(unique())},"__proto__":{"is_root":false}}`)
    expect([200, 400]).toContain(reply.status)
    if (reply.status === 200) expect(reply.body.data.is_root).toBe(true)
  })
})

describe('x-request-id', () => {
  test('is ours when the caller sends none', async () => {
    expect((await api.get('/me')).headers.get('x-request-id')).toMatch(ID)
  })

  test("is the caller's, if valid", () =>
    everyRow(['abc-123', 'a.b:c/d+e=f', 'x'.repeat(128)], async (id) =>
      expect((await api.get('/me', undefined, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id),
    ))

  test("is ours if the caller's is not valid", () =>
    everyRow(['with blanks in it', 'x'.repeat(129), '<script>', '"quoted"'], async (id) =>
      expect((await api.get('/me', undefined, { 'x-request-id': id })).headers.get('x-request-id')).toMatch(ID),
    ))

  test('is on errors too', async () => {
    for (const reply of [await api.get('/nowhere'), await request('GET', '/v1/me'), await api.put('/me', {})])
      expect(reply.headers.get('x-request-id')).toMatch(ID)
  })

  test('differs from request to request', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await api.get('/me')).headers.get('x-request-id')))
    expect(new Set(ids).size).toBe(3)
  })
})

describe('HTTP that cannot be parsed', () => {
  const { hostname, port, protocol } = new URL(target.url)
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = ''
      const socket = net.connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => socket.write(bytes))
      socket.on('data', (data) => (text += data))
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })

  test.skipIf(protocol !== 'http:').each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a broken header', 'GET /v1/me HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['a Content-Length that is no number', 'POST /v1/knowledge-bases HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n'],
    ['no Host', 'GET /v1/me HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ])('%s is 400 in the JSON form', async (_, bytes) => {
    const [head, body] = (await raw(bytes)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(body!)).toMatchObject({ error_code: 'VALIDATION_ERROR', message: expect.any(String) })
  })
})

describe('ids', () => {
  test('ids in a path that nothing can have name what does not exist', () =>
    everyRow(
      [
        ...malformedIds,
        ['a path', '..%2F..%2Fetc%2Fpasswd'],
        ['SQL', "'%20or%201=1--"],
        ['very long', 'a'.repeat(5000)],
        ['a zero character', '%00'],
        ['another script', '%E4%B8%96'],
      ],
      async (_, id) => expectError(await api.get(`/agents/${id}`), 404, 'AGENT_NOT_FOUND'),
    ))

  test('of what was made later sort later', async () => {
    const first = await makeFolder()
    const second = await makeFolder()
    expect(second.id > first.id).toBe(true)
  })

  test('where agent, chat and message do not belong together the innermost that does not is 404', async () => {
    const [one, two] = [await newConversation(), await newConversation()]
    const { message_id } = await one.answer('say x')
    const path = (agent: string, chat: string) => `/agents/${agent}/chats/${chat}/message/${message_id}`
    for (const method of ['get', 'delete'] as const) {
      expectError(await api[method](path(two.agent.id, two.chat.id)), 404, 'MESSAGE_NOT_FOUND')
      expectError(await api[method](path(two.agent.id, one.chat.id)), 404, 'CHAT_NOT_FOUND')
      expectError(await api[method](path(freshId(), one.chat.id)), 404, 'AGENT_NOT_FOUND')
    }
    expect((await api.get(path(one.agent.id, one.chat.id))).status).toBe(200)
  })
})

describe('outside of /v1', () => {
  test.each(['/healthz', '/readyz'])('%s says ok, without a key', async (path) => {
    expect(await request('GET', path)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })
})
