import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startOwnServer } from '../support/own-server/own-server.ts'
import { target } from '../support/target.ts'
import { testOfOwn as test } from '../support/tests.ts'
import { until } from '../support/wait.ts'

/** A server of its own with limits that are quickly reached. */
let server: Awaited<ReturnType<typeof startOwnServer>>

beforeAll(async () => {
  if (!target.isOwn) return
  const limits = {
    DOCENT_RATE_LIMIT: '10',
    DOCENT_RATE_BURST: '40',
    DOCENT_MAX_STREAMS: '2',
    DOCENT_LINK_TTL: '3',
    DOCENT_UPLOAD_TTL: '3',
  }
  server = await startOwnServer(limits, target.postgresUrl)
}, 180_000)
afterAll(() => server?.stop())

const send = (path: string, { key = server.target.key, ...init }: RequestInit & { key?: string } = {}) =>
  fetch(`${server.target.url}/v1${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } })
const post = (path: string, body: object, key?: string) =>
  send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, key })
/** The payload, once the rate limit lets the request through. */
const dataOf = (request: () => Promise<Response>): Promise<any> =>
  until('an answer', async () => {
    const response = await request()
    return response.status === 200 && ((await response.json()) as any).data
  })

test('more open streams than a key may have are 429 RATE_LIMITED', async () => {
  const { id } = await dataOf(() => post('/agents', { name: 'Slow', model: server.target.model }))
  const paths: string[] = []
  for (let i = 0; i < 3; i++) {
    const { chat } = await dataOf(() => post(`/agents/${id}/chats`, {}))
    paths.push(`/agents/${id}/chats/${chat.id}/query`)
  }
  const open = (path: string) => post(path, { query: 'say x\nhang', is_stream: true })
  const [first, second] = [await open(paths[0]!), await open(paths[1]!)]
  const third = await open(paths[2]!)
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
  expect(await third.json()).toMatchObject({ error_code: 'RATE_LIMITED' })
  await Promise.all([first.body!.cancel(), second.body!.cancel()])
})

test('a download link works until it expires, then it is 403 LINK_EXPIRED', async () => {
  const agent = await dataOf(() => post('/agents', { name: 'A', model: server.target.model, tools: ['create_file'] }))
  const { chat } = await dataOf(() => post(`/agents/${agent.id}/chats`, {}))
  const path = `/agents/${agent.id}/chats/${chat.id}`
  const query = `call create_file ${JSON.stringify({ name: 'a.txt', content: 'x' })}\nsay Done`
  const { message_id } = await dataOf(() => post(`${path}/query`, { query }))
  const linked = () => send(`${path}/message/${message_id}?downloadable_output=true`)
  const [link] = Object.values<string>((await dataOf(linked)).downloadable_output)
  expect((await fetch(link!)).status).toBe(200)
  const expired = await until('expired', async () => {
    const reply = await fetch(link!)
    return reply.status !== 200 && reply
  })
  expect([expired.status, await expired.json()]).toMatchObject([403, { error_code: 'LINK_EXPIRED' }])
  const [fresh] = Object.values<string>((await dataOf(linked)).downloadable_output)
  expect((await fetch(fresh!)).status).toBe(200)
})

test('an upload that nobody used expires: its id is 404 FILE_NOT_FOUND', async () => {
  const form = new FormData()
  form.set('file', new Blob(['hello']), 'a.txt')
  const file_id = await dataOf(() => send('/uploaded-files', { method: 'POST', body: form }))
  const folder = await dataOf(() => post('/knowledge-bases', { knowledge_base_name: `Late ${file_id}` }))
  const add = () =>
    post(`/knowledge-bases/${folder.id}/data-sources/documents`, {
      file_id,
      data_source_title: 'x',
      trigger_indexing: false,
    })
  const kept = await dataOf(add)
  const expired = await until('expired', async () => {
    const reply = await add()
    return reply.status === 404 && reply
  })
  expect(await expired.json()).toMatchObject({ error_code: 'FILE_NOT_FOUND' })
  const path = `/knowledge-bases/${folder.id}/data-sources/actions/download?data_source_id=${kept._id}`
  await until('still there', async () => (await send(path)).status === 200)
})

// Last: what comes after it would have to wait until the key may send again.
describe('the rate limit of a key', () => {
  test('tells RateLimit and RateLimit-Policy', async () => {
    const { headers } = await send('/me')
    expect(headers.get('ratelimit')).toMatch(/r=\d+/)
    expect(headers.get('ratelimit-policy')).toMatch(/q=40/)
  })

  test('when it is used up is 429 RATE_LIMITED with Retry-After, and another key goes on', async () => {
    const replies = await Promise.all(Array.from({ length: 120 }, () => send('/me')))
    const refused = replies.find(({ status }) => status === 429)!
    expect(await refused.json()).toMatchObject({ error_code: 'RATE_LIMITED', message: expect.any(String) })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit')).toMatch(/r=0/)
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    expect((await send('/me', { key: server.target.otherKey })).status).toBe(200)
  })

  test('comes before permission, body and existence', async () => {
    const replies = await Promise.all(Array.from({ length: 120 }, () => post('/knowledge-bases', {})))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400, 429]))
  })

  test('fills up again', async () => {
    await until('answered', async () => (await send('/me')).status === 200)
  })
})
