import { expect, test } from 'vitest'
import { Docent } from '../index.ts'

/** A client of a server that answers as told, one answer a request, and what it was sent. */
function clientOf(...answers: (() => Response | Promise<Response>)[]) {
  const sent: { method: string; headers: Headers }[] = []
  const answer: typeof fetch = async (_input, init) => {
    sent.push({ method: init!.method!, headers: new Headers(init!.headers) })
    init?.signal?.throwIfAborted()
    return (answers.length > 1 ? answers.shift() : answers[0])!()
  }
  return { sent, docent: new Docent({ baseUrl: 'https://docent.example', apiKey: 'dct_key', fetch: answer }) }
}

const good = () => Response.json({ data: { name: 'Ada' } }, { headers: { 'x-request-id': 'request-1' } })
const busy = () => Response.json({}, { status: 503, headers: { 'retry-after': '0' } })

test('withResponse gives the data with status, headers and the id of the request', async () => {
  const { docent } = clientOf(good)
  const { data, response, requestId } = await docent.me().withResponse()
  expect([data, response.status, requestId]).toEqual([{ name: 'Ada' }, 200, 'request-1'])
  expect(response.headers.get('x-request-id')).toBe('request-1')
})

test('withResponse tells what a call was made into, and fails as the call does', async () => {
  const made = clientOf(() => Response.json({ data: { chat: { id: 'chat-1' } } }))
  expect(await made.docent.chats.create('id').withResponse()).toMatchObject({ data: { id: 'chat-1' } })
  const refused = clientOf(() => Response.json({ error_code: 'FORBIDDEN', message: 'No' }, { status: 403 }))
  await expect(refused.docent.me().withResponse()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a call is a promise: it can be chained, caught and waited for with others', async () => {
  const { docent, sent } = clientOf(good)
  const call = docent.me()
  expect(call).toBeInstanceOf(Promise)
  let isOver = false
  const [first, second] = await Promise.all([call, call.then(({ name }: any) => name)])
  await call.finally(() => {
    isOver = true
  })
  expect([first, second, isOver, sent.length]).toEqual([{ name: 'Ada' }, 'Ada', true, 1])
  const failing = clientOf(() => Response.json({}, { status: 400 }))
  expect(await failing.docent.me().catch(({ code }) => code)).toBe('HTTP_400')
})

test('an id that would make the path another one is sent nowhere', async () => {
  const { docent, sent } = clientOf(good)
  for (const id of ['', '.', '..'])
    await expect(docent.chats.messages.delete('agent-1', 'chat-1', id)).rejects.toMatchObject({
      status: 0,
      code: 'INVALID_ID',
      message: `${JSON.stringify(id)} is no message_id`,
    })
  await expect(docent.agents.get(undefined as never)).rejects.toMatchObject({ message: '"" is no agent_id' })
  expect(sent).toEqual([])
})

test('each call may have headers, a limit and a number of retries of its own', async () => {
  const { docent, sent } = clientOf(busy)
  const options = { headers: { 'x-trace': 'abc' }, maxRetries: 1 }
  await expect(docent.me(options)).rejects.toMatchObject({ status: 503 })
  expect(sent.map(({ headers }) => headers.get('x-trace'))).toEqual(['abc', 'abc'])
  await expect(docent.me({ maxRetries: 0 })).rejects.toMatchObject({ status: 503 })
  expect(sent).toHaveLength(3)
})

test('what the server could not do for the moment is repeated, reading and setting alike', async () => {
  for (const failing of [500, 502, 503, 504, 429]) {
    const { docent, sent } = clientOf(
      () => Response.json({}, { status: failing, headers: { 'retry-after': '0' } }),
      good,
    )
    expect(await docent.agents.update('id', { name: 'Ada' })).toEqual({ name: 'Ada' })
    expect(sent).toHaveLength(2)
  }
})
