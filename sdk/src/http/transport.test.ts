import { expect, test } from 'vitest'
import { Docent } from '../index.ts'
import { recordingClient } from './recording-client.ts'
import { createTransport } from './transport.ts'

test('the key goes to the server alone, not where a link points to', async () => {
  const { sent, docent } = recordingClient()
  await docent.me()
  await docent.files.download('https://elsewhere.example/file?signature=s')
  expect(sent.map(({ url, headers }) => [url.hostname, headers.get('x-api-key')])).toEqual([
    ['docent.example', 'dct_key'],
    ['elsewhere.example', null],
  ])
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
