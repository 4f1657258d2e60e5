import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { shapeOf, textOf } from '../../support/chats/events.ts'
import { answer } from '../../support/models/model-server.ts'
import { KEY, startRestartable } from '../../support/processes/restartable.ts'
import { expectEnded, STACKS } from '../../support/processes/stacks.ts'

const INTERRUPTED = 'The answer was interrupted because the server was stopped; send the query again'

describe.each(STACKS)('on %s', (stack) => {
  test('an answer that a kill cuts off keeps what was said, and says that it was interrupted', async () => {
    const ids = { running: 'a'.repeat(24), waiting: 'b'.repeat(24) }
    const { first, again, path } = await startRestartable(
      () => answer({ reasoning: 'Hm.' }, 'Half of ', 'it', { hang: true }),
      { stack },
    )
    const query = { query: 'Hi', message_id: ids.running }
    const reader = await first.stream(path, query)
    await reader.until('response')
    const waiting = await first.stream(path, { query: 'Next', message_id: ids.waiting })
    await waiting.next()
    const stored = async () => (await first.call('GET', `${path}/message/${ids.running}`)).body.data.response
    await expect.poll(stored).toBe('Half of it')
    await first.end('SIGKILL')

    const second = await again()
    const stateOf = async (id: string) => (await second.call('GET', `${path}/message/${id}`)).body.data
    for (const id of [ids.running, ids.waiting])
      await expectEnded(stack, async () => (await stateOf(id)).ai_resolution_status)
    expect(await stateOf(ids.running)).toMatchObject({
      ai_resolution_status: 'completed',
      error_message: INTERRUPTED,
      response: 'Half of it',
      reasoning: 'Hm.',
    })
    expect(await stateOf(ids.waiting)).toMatchObject({
      ai_resolution_status: 'completed',
      error_message: INTERRUPTED,
      response: '',
    })
    // A retry hears the same, whichever way it asks, and nothing runs again.
    const failed = { status: 500, body: { error_code: 'AGENT_FAILED', message: INTERRUPTED } }
    expect(await second.call('POST', `${path}/query`, query)).toEqual(failed)
    const events = await (await second.stream(path, query)).rest()
    expect(shapeOf(events)).toBe('metadata reasoning end_reasoning response error')
    expect([textOf(events, 'reasoning'), textOf(events), events.at(-1)!.text]).toEqual([
      'Hm.',
      'Half of it',
      INTERRUPTED,
    ])
    const history = (await second.call('GET', `${path}/messages`)).body.data
    expect(history).toMatchObject({ total: 2, messages: [{ id: ids.running }, { id: ids.waiting }] })
  })

  test('finished answers, their streams and their ids outlive a restart', async () => {
    const { first, again, path, model } = await startRestartable(() => answer('Hel', 'lo'), { stack })
    const query = { query: 'Hi', message_id: 'a'.repeat(24) }
    const before = await (await first.stream(path, query)).rest()
    expect(await first.end('SIGTERM')).toBe(0)

    const second = await again()
    const after = await (await second.stream(path, query)).rest()
    expect([shapeOf(after), textOf(after), after.at(-1)]).toEqual([shapeOf(before), 'Hello', before.at(-1)])
    expect((await second.call('POST', `${path}/query`, query)).body.data.text).toBe('Hello')
    const conflict = await second.call('POST', `${path}/query`, { ...query, query: 'Ho' })
    expect(conflict).toMatchObject({ status: 400, body: { error_code: 'MESSAGE_ID_CONFLICT' } })
    expect(model.requests).toHaveLength(1)
    // And the memory, too.
    await second.call('POST', `${path}/query`, { query: 'Again' })
    expect(model.requests[1]!.body.messages.slice(1).map((message: any) => message.content)).toEqual([
      'Hi',
      'Hello',
      'Again',
    ])
  })

  test('a stop lets what runs come to its end, refuses what is new, and exits with 0', async () => {
    const goesOn = Promise.withResolvers<void>()
    onTestFinished(() => goesOn.resolve())
    const script = () => answer('Hel', { until: goesOn.promise }, 'lo')
    const { first, path } = await startRestartable(script, { stack })
    const reader = await first.stream(path, { query: 'Hi' })
    await reader.until('response')
    const waiting = first.call('POST', `${path}/query`, { query: 'Next' })
    await expect.poll(async () => (await first.call('GET', `${path}/messages`)).body.data.total).toBe(2)
    // Connections that were opened ahead, or stopped in the middle of a body, hold nobody up.
    const { port } = new URL(first.url)
    const silent = connect(Number(port), '127.0.0.1').on('error', () => {})
    const stalled = connect(Number(port), '127.0.0.1').on('error', () => {})
    stalled.write(`POST /v1/agents HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-type: application/json\r\n`)
    stalled.write('content-length: 100\r\n\r\n{"name":')
    onTestFinished(() => {
      silent.destroy()
      stalled.destroy()
    })
    await delay(100)
    const begun = performance.now()
    const ended = first.end('SIGTERM')
    await expect.poll(async () => (await first.send('GET', '/me')).status).toBe(503)
    const refused = await first.send('POST', `${path}/query`, { query: 'Too late' })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.headers.get('x-request-id')).toMatch(/^\w{24}$/)
    expect(await refused.json()).toEqual({
      error_code: 'UNAVAILABLE',
      message: 'The server is shutting down; try again in a moment',
    })
    expect((await fetch(`${first.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200)
    goesOn.resolve()
    expect(shapeOf(await reader.rest())).toBe('response end_response')
    expect(await waiting).toMatchObject({ status: 200, body: { data: { text: 'Hello' } } })
    expect(await ended).toBe(0)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  test('a stop does not wait for ever: what does not end is interrupted, told so, and stored', async () => {
    const { first, again, path } = await startRestartable(() => answer('Half', { hang: true }), { stack })
    const reader = await first.stream(path, { query: 'Hi' })
    const [metadata] = await reader.until('response')
    const begun = performance.now()
    const ended = first.end('SIGTERM')
    const rest = await reader.rest()
    expect([shapeOf(rest), rest.at(-1)!.text]).toEqual(['error', INTERRUPTED])
    expect(await ended).toBe(0)
    expect(performance.now() - begun).toBeLessThan(20_000)
    const second = await again()
    const { body } = await second.call('GET', `${path}/message/${metadata!.data.message_id}`)
    expect(body.data).toMatchObject({ response: 'Half', error_message: INTERRUPTED, ai_resolution_status: 'completed' })
  })
})
