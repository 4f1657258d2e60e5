import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Docent } from '../index.ts'
import { recordingClient } from './recording-client.ts'
import { createTransport } from './transport.ts'

/** @returns its URL */
async function listenOn(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the key goes to the server alone, not where a link points to', async () => {
  const { sent, docent } = recordingClient()
  await docent.me()
  await docent.files.download('https://elsewhere.example/file?signature=s')
  expect(sent.map(({ url, headers }) => [url.hostname, headers.get('x-api-key')])).toEqual([
    ['docent.example', 'dct_key'],
    ['elsewhere.example', null],
  ])
})

test('the key follows no redirect: the address is told, for lists, streams, uploads and downloads', async () => {
  const keys: (string | undefined)[] = []
  const target = await listenOn((request, response) => {
    keys.push(request.headers['x-api-key'] as string | undefined)
    response.end('{"data":{}}')
  })
  const origin = await listenOn((request, response) => {
    const isLink = request.url!.startsWith('/link')
    const location = request.url!.startsWith('/v1/me') ? '/sign-in?to=/v1/me' : `${target}${request.url}`
    response.writeHead(isLink ? 302 : 307, { location }).end()
  })
  const docent = new Docent({ baseUrl: origin, apiKey: 'dct_key' })
  const calls = [
    () => docent.agents.list(),
    () => docent.agents.create({ name: 'Potter' }),
    () => docent.chats.stream('a', 'b', { query: 'Hello?' }).final(),
    () => docent.files.upload(new Blob(['Clay'])),
    () => docent.files.upload(new Response('Clay').body!),
    () => docent.dataSources.content('a', 'b'),
  ]
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({
      name: 'DocentError',
      code: 'REDIRECTED',
      status: 0,
      message: `The server at ${origin} redirects to ${target}: give that as baseUrl`,
    })
  await expect(docent.me()).rejects.toThrow(`redirects to ${origin}/sign-in: give that`)
  expect(keys).toEqual([])
  // A link grants access by itself: it may lead to where the bytes are.
  expect(await (await docent.files.download(`${origin}/link`)).text()).toBe('{"data":{}}')
  expect(keys).toEqual([undefined])
})

test('a server is told that its files are to come from itself', async () => {
  const { sent, docent } = recordingClient()
  await docent.dataSources.content('a', 'b')
  expect(sent[0]!.headers.get('sec-fetch-mode')).toBe('cors')
})

test('a client without the URL of a server says how one is written', () => {
  for (const [baseUrl, message] of [
    [undefined, 'baseUrl is missing: write it like https://docent.example.com'],
    ['127.0.0.1:4716', '"127.0.0.1:4716" is no baseUrl: write it like https://docent.example.com'],
    ['localhost:4716', '"localhost:4716" is no baseUrl: write it like https://docent.example.com'],
    ['http://', '"http://" is no baseUrl: write it like https://docent.example.com'],
  ] as const)
    expect(() => new Docent({ baseUrl: baseUrl as string })).toThrow(
      expect.objectContaining({ name: 'DocentError', code: 'INVALID_BASE_URL', message }),
    )
})

test('without a key requests say that they use the session of the browser', async () => {
  const headers: Headers[] = []
  const record: typeof fetch = async (_input, init) => {
    headers.push(new Headers(init!.headers))
    return new Response('{"data":{}}')
  }
  await new Docent({ baseUrl: 'https://docent.example', fetch: record }).me()
  expect([headers[0]!.get('x-docent-session'), headers[0]!.get('x-api-key')]).toEqual(['1', null])
})

test('chats are filtered by each pair of their metadata', async () => {
  const { sent, docent } = recordingClient()
  await docent.chats.list('id1', { search: 'kiln', metadata: { team: 'clay', 'a b': '1' } })
  expect(Object.fromEntries(sent[0]!.url.searchParams)).toEqual({
    search: 'kiln',
    'metadata.team': 'clay',
    'metadata.a b': '1',
  })
})

test('a route that the API does not have, and ids that its path does not take, do not compile', () => {
  const { data } = createTransport({ baseUrl: 'https://docent.example.com', fetch: async () => Response.json({}) })
  const wrong = [
    // @ts-expect-error
    () => data('GET /agent/{agent_id}', ['id1']),
    // @ts-expect-error
    () => data('PUT /agents/{agent_id}', ['id1']),
    // @ts-expect-error
    () => data('GET /agents/{agent_id}', []),
  ]
  expect(wrong).toHaveLength(3)
})
