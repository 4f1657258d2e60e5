import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { keepWorker } from '../host/run-in-worker.ts'
import { createHttpServer, type HttpOptions } from './server.ts'

/** Hangs, or breaks. */
const THREAD = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', (task) => {
  if (task === 'break') throw new Error('select * from secrets')
})`

/** A server with a route that echoes JSON, one that counts bytes as they come, and one that fails. */
async function start(timeouts?: HttpOptions) {
  const app = createHttpServer(pino({ level: 'silent' }), timeouts)
  app.post('/echo', { schema: { body: z.object({ text: z.string() }) } }, async ({ body }) => body)
  const Span = z
    .object({ from: z.string(), to: z.string() })
    .refine(({ from, to }) => from <= to, 'ends before it begins')
  app.get('/span', { schema: { querystring: Span } }, async ({ query }) => query)
  app.register(async (plain) => {
    plain.removeAllContentTypeParsers()
    plain.addContentTypeParser('*', (_request, _body, done) => done(null))
    plain.post('/count', async ({ raw }) => {
      let bytes = 0
      for await (const chunk of raw) bytes += chunk.length
      return { bytes }
    })
  })
  app.post('/wait', async () => {
    await delay(600)
    return { ok: true }
  })
  app.get('/things/:id', async ({ params }) => params)
  app.get('/broken', async () => {
    throw new Error('select * from secrets at /home/me/file.ts')
  })
  const entry = new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`)
  app.get('/thread/:task', async ({ params }) => {
    const { task } = params as { task: string }
    const timeoutMs = task === 'hang' ? 50 : 60_000
    return keepWorker<string, string>({ entry, timeoutMs, heapMb: 32, idleMs: 1 })(task)
  })
  app.get('/stream', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/plain' })
    reply.raw.write('begun')
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const { port } = app.server.address() as { port: number }

  async function open(...chunks: string[]): Promise<{ socket: Socket; answer: Promise<string> }> {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('error', () => {})
    const answer = once(socket, 'close').then(() => text)
    await once(socket, 'connect')
    for (const chunk of chunks) socket.write(chunk)
    return { socket, answer }
  }

  const exchange = async (...chunks: string[]) => read(await (await open(...chunks)).answer)
  return { url: `http://127.0.0.1:${port}`, open, exchange }
}

function read(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [line, ...headers] = head.split('\r\n')
  const fields = headers.map((header) => header.split(': ') as [string, string])
  return {
    status: Number(line?.split(' ')[1]),
    headers: Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])),
    body: body === '' ? undefined : JSON.parse(body),
  }
}

const POST = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

test.each([
  ['bytes that are no HTTP', 'hello there\r\n\r\n', 400],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a broken header line', 'GET /echo HTTP/1.1\r\nhost x\r\n\r\n', 400],
  ['an unknown method', 'FETCH /echo HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['no host', 'GET /things/1 HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  [
    'two lengths that contradict each other',
    'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    400,
  ],
  ['headers over 16 KiB', `GET /echo HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s get the JSON form of errors', async (_name, request, status) => {
  const { exchange } = await start()
  const reply = await exchange(request)
  expect(reply).toMatchObject({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': expect.stringMatching(/^\w{24}$/) },
    body: { error_code: 'VALIDATION_ERROR', message: expect.any(String) },
  })
})

test.each([
  ['a body that is not there', '/echo', undefined, 'The body is missing: send a JSON object'],
  ['an empty body', '/echo', '', 'The body is missing: send a JSON object'],
  ['null as a body', '/echo', 'null', 'The body must be an object, not null'],
  ['a list as a body', '/echo', '[]', 'The body must be an object, not a list'],
  [
    'a name of a field that cannot be stored',
    '/echo',
    '{"\\u0000":1}',
    'The body holds a character that cannot be stored',
  ],
  [
    'fields of a query string that do not fit together',
    '/span?from=2&to=1',
    null,
    'The query string ends before it begins',
  ],
])('%s is at fault as a whole, not a field of it', async (_what, path, body, message) => {
  const { url } = await start()
  const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const reply = await fetch(url + path, body === null ? {} : { method: 'POST', headers, body: body ?? null })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({
    error_code: 'VALIDATION_ERROR',
    message: expect.stringContaining(message),
  })
})

test('rubbish after a request leaves the answer to that request whole', async () => {
  const { open } = await start()
  const { socket, answer } = await open('GET /stream HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.write('this is no HTTP\r\n\r\n')
  expect(await answer).toMatch(/begun/)
  expect(await answer).not.toMatch(/error_code/)
})

test('a URL that cannot be decoded is 400, with a request id', async () => {
  const { url } = await start()
  const reply = await fetch(`${url}/things/%E0%A4%A`)
  expect(reply.status).toBe(400)
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/)
  expect(await reply.json()).toEqual({ error_code: 'VALIDATION_ERROR', message: 'The URL is not valid' })
})

test('what nobody foresaw is 500 and tells nothing', async () => {
  const { url } = await start()
  const reply = await fetch(`${url}/broken`)
  expect(reply.status).toBe(500)
  expect(await reply.json()).toEqual({
    error_code: 'INTERNAL_ERROR',
    message: 'Something went wrong on the server; its log has the request id',
  })
})

test.each([
  ['req-1/a.b:c+d=e_f', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['a b', false],
  ['"><script>', false],
])('the request id %j is echoed: %s', async (id, isEchoed) => {
  const { url } = await start()
  const reply = await fetch(`${url}/things/1`, { headers: { 'x-request-id': id } })
  const echoed = reply.headers.get('x-request-id')
  if (isEchoed) expect(echoed).toBe(id)
  else expect(echoed).toMatch(/^[0-9a-f]{24}$/)
})

test('a path of another method is 405 and names those that there are', async () => {
  const { url } = await start()
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const reply = await fetch(`${url}/things/1`, { method })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe('GET, HEAD')
    expect(await reply.json()).toEqual({
      error_code: 'METHOD_NOT_ALLOWED',
      message: `This path takes GET, HEAD, not ${method}`,
    })
  }
  const long = await fetch(`${url}/things/${'x'.repeat(5000)}`, { method: 'POST' })
  expect(long.status).toBe(405)
})

test('a path that nobody serves is 404, with a body of its own or without', async () => {
  const { url } = await start()
  const body = { error_code: 'NOT_FOUND', message: 'There is nothing at POST /nothing/here' }
  for (const init of [{}, { body: 'text' }, { body: '{', headers: { 'content-type': 'application/json' } }]) {
    const reply = await fetch(`${url}/nothing/here?a=b`, { method: 'POST', ...init })
    expect(reply.status).toBe(404)
    expect(await reply.json()).toEqual(body)
  }
})

test('HEAD answers like GET without the body, and a trailing slash changes nothing', async () => {
  const { url } = await start()
  const head = await fetch(`${url}/things/1`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
  expect(await (await fetch(`${url}/things/1/`)).json()).toEqual({ id: '1' })
})

test('a parameter may be as long as it likes', async () => {
  const { url } = await start()
  const id = 'x'.repeat(8000)
  expect(await (await fetch(`${url}/things/${id}`)).json()).toEqual({ id })
})

test.each([
  ['text/plain', 415],
  ['application/xml', 415],
  ['application/x-www-form-urlencoded', 415],
  ['nonsense', 415],
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON', 200],
])('a body of the type %s is %i', async (type, status) => {
  const { url } = await start()
  const reply = await fetch(`${url}/echo`, { method: 'POST', headers: { 'content-type': type }, body: '{"text":"a"}' })
  expect(reply.status).toBe(status)
  if (status === 415) expect(await reply.json()).toMatchObject({ error_code: 'UNSUPPORTED_MEDIA_TYPE' })
})

test('a body without a type is 415', async () => {
  const { exchange } = await start()
  const reply = await exchange('POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}')
  expect(reply).toMatchObject({ status: 415, body: { error_code: 'UNSUPPORTED_MEDIA_TYPE' } })
})

test('1 MiB of JSON is taken, a byte more is 413', async () => {
  const { url } = await start()
  const send = (size: number) => {
    const body = JSON.stringify({ text: 'x'.repeat(size - '{"text":""}'.length) })
    return fetch(`${url}/echo`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  expect((await send(1024 ** 2)).status).toBe(200)
  const reply = await send(1024 ** 2 + 1)
  expect(reply.status).toBe(413)
  expect(await reply.json()).toMatchObject({
    error_code: 'PAYLOAD_TOO_LARGE',
    message: expect.stringMatching(/ endpoint takes \(\d+ [KM]iB\)$/),
  })
})

test('a client that sends far too much still hears why it is refused, whether it gives a length or not', async () => {
  const { url } = await start()
  const body = Buffer.alloc(20 * 1024 ** 2, ' ')
  for (const length of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
    const sent = request(`${url}/echo`, { method: 'POST', headers: { 'content-type': 'application/json', ...length } })
    sent.end(body)
    const isSent = once(sent, 'close')
    const [reply] = await once(sent, 'response')
    expect(reply.statusCode).toBe(413)
    expect(await json(reply)).toMatchObject({ error_code: 'PAYLOAD_TOO_LARGE' })
    await isSent
  }
})

test('headers that never end are 408', async () => {
  const { exchange } = await start({ headersMs: 200 })
  const reply = await exchange('GET /things/1 HTTP/1.1\r\nhost: x\r\n')
  expect(reply).toMatchObject({ status: 408, body: { error_code: 'REQUEST_TIMEOUT' } })
})

test.each(['/echo', '/count'])('a body that stops coming is 408 at %s', async (path) => {
  const { exchange } = await start({ bodySilenceMs: 120 })
  const reply = await exchange(POST(path, 100), '{"text":')
  expect(reply).toMatchObject({
    status: 408,
    headers: {
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.stringMatching(/^\w{24}$/),
    },
    body: { error_code: 'REQUEST_TIMEOUT' },
  })
})

test('a body that comes slowly, but comes, is read to its end', async () => {
  const { open } = await start({ bodySilenceMs: 1_000 })
  const { socket, answer } = await open(POST('/count', 12).replace('host', 'connection: close\r\nhost'))
  for (let i = 0; i < 12; i++) {
    await delay(120)
    socket.write('x')
  }
  expect(read(await answer)).toMatchObject({ status: 200, body: { bytes: 12 } })
})

test('a request is one line of the log, with its id and without what it said', async () => {
  const lines: string[] = []
  const app = createHttpServer(pino({ level: 'info' }, { write: (line) => void lines.push(line) }))
  app.post('/things/:id', async () => ({ secret: 'answer' }))
  onTestFinished(() => app.close())
  const headers = { 'x-request-id': 'ours-1', 'x-api-key': 'secret-key', authorization: 'Bearer secret-token' }
  await app.inject({ method: 'POST', url: '/things/secret-id?q=secret-query', headers, payload: { a: 'secret-body' } })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    request_id: 'ours-1',
    method: 'POST',
    route: '/things/:id',
    status: 200,
    ms: expect.any(Number),
    msg: 'request',
  })
  expect(lines[0]).not.toContain('secret')
})

test('an answer that takes longer than a body may be silent comes all the same', async () => {
  const { url } = await start({ bodySilenceMs: 400 })
  const headers = { 'content-type': 'application/json' }
  expect(await (await fetch(`${url}/wait`, { method: 'POST', headers, body: '{}' })).json()).toEqual({ ok: true })
})

test('a thread that this machine has no time for is told as 503, one that breaks as a fault', async () => {
  const { url } = await start()
  const late = await fetch(`${url}/thread/hang`)
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await late.json()).toEqual({
    error_code: 'UNAVAILABLE',
    message: 'The server has too much to do just now; try again in a moment',
  })
  const broken = await fetch(`${url}/thread/break`)
  expect([broken.status, (await broken.text()).includes('secrets')]).toEqual([500, false])
})
