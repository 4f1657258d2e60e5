import { beforeAll, describe, expect } from 'vitest'
import { api, expectError } from '../support/api.ts'
import { newConversation } from '../support/make.ts'
import { type OpenStream, openStream, shapeOf, streamed } from '../support/stream.ts'
import { target } from '../support/target.ts'
import { scripted as test } from '../support/tests.ts'
import { anId, freshId } from '../support/values.ts'

let talk: Awaited<ReturnType<typeof newConversation>>
let plain: OpenStream
let thoughtful: OpenStream
let busy: OpenStream

beforeAll(async () => {
  if (!target.model) return
  talk = await newConversation({ tools: ['create_file'] })
  plain = await streamed(talk.path, 'say Hello dear reader')
  thoughtful = await streamed(talk.path, 'think Let me see\nsay Yes')
  busy = await streamed(
    talk.path,
    `say Wait.\ncall create_file ${JSON.stringify({ name: 'a.md', content: '# A' })}\nsay Done`,
  )
})

const textOf = ({ events }: OpenStream, type: string) =>
  events
    .filter((event) => event.type === type)
    .map(({ text }) => text)
    .join('')

describe('the wire of a streamed query', () => {
  test('is text/event-stream; charset=utf-8', () => {
    expect(plain.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  })

  test('is not cached and not buffered on the way', () => {
    expect([plain.headers.get('cache-control'), plain.headers.get('x-accel-buffering')]).toEqual(['no-cache', 'no'])
  })

  test('carries x-request-id', () => {
    expect(plain.headers.get('x-request-id')).toMatch(/\S/)
  })

  test('has data lines alone, each followed by a blank one', () => {
    for (const frame of busy.wire().split('\n\n').slice(0, -1)) expect(frame).toMatch(/^data: .+$/)
  })

  test('ends with the literal line data: [DONE]', () => {
    expect(plain.wire().endsWith('\n\ndata: [DONE]\n\n')).toBe(true)
    expect(plain.wire().match(/\[DONE\]/g)).toHaveLength(1)
  })
})

describe('the events', () => {
  test('come in the order metadata, response, end_response without tools', () => {
    expect(shapeOf(plain.events)).toEqual(['metadata', 'response', 'end_response'])
  })

  test('have reasoning before the response, and its end', () => {
    expect(shapeOf(thoughtful.events)).toEqual(['metadata', 'reasoning', 'end_reasoning', 'response', 'end_response'])
  })

  test('have live_updates where a tool is called', () => {
    const shape = shapeOf(busy.events)
    const calls = shape.filter((one) => one.startsWith('live_update'))
    expect(calls.slice(0, 2)).toEqual(['live_update/tool_call_start', 'live_update/tool_call_result'])
    expect(shape.indexOf(calls[0]!)).toBeGreaterThan(shape.indexOf('response'))
    expect(shape.lastIndexOf('response')).toBeGreaterThan(shape.lastIndexOf(calls.at(-1)!))
  })

  test('begin with metadata that names the message', () => {
    expect(plain.events[0]).toMatchObject({ type: 'metadata', data: { message_id: anId } })
  })

  test('concatenated, the response texts are the answer', async () => {
    expect(textOf(plain, 'response')).toBe('Hello dear reader')
    const { response } = await talk.message(plain.events[0]!.data.message_id)
    expect(response).toBe('Hello dear reader')
  })

  test('concatenated, the reasoning texts are the reasoning of the message', async () => {
    expect(textOf(thoughtful, 'reasoning')).toBe('Let me see')
    expect((await talk.message(thoughtful.events[0]!.data.message_id)).reasoning).toBe('Let me see')
  })

  test('each have type, subtype, text and extended_text', () => {
    for (const event of [...plain.events, ...thoughtful.events, ...busy.events]) {
      expect(event).toMatchObject({ type: expect.any(String), text: expect.any(String) })
      for (const field of ['subtype', 'extended_text', 'data']) expect(event).toHaveProperty(field)
    }
  })

  test('have a subtype on live_update alone', () => {
    for (const event of busy.events) expect(event.subtype !== null).toBe(event.type === 'live_update')
  })

  test('have elapsed_ms: a number on live_update, null on metadata, absent elsewhere', () => {
    for (const event of [...thoughtful.events, ...busy.events]) {
      if (event.type === 'live_update') expect(event.elapsed_ms).toEqual(expect.any(Number))
      else if (event.type === 'metadata') expect(event.elapsed_ms).toBeNull()
      else expect(event).not.toHaveProperty('elapsed_ms')
    }
  })

  test('have sequence numbers from 0 that grow', () => {
    const numbers = busy.events.map(({ sequence_number }) => sequence_number)
    expect(numbers[0]).toBe(0)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  test('of a tool call name the tool', () => {
    for (const { type, data } of busy.events) if (type === 'live_update') expect(data.tool_name).toBe('create_file')
    expect(busy.events.some(({ type }) => type === 'live_update')).toBe(true)
  })

  test('have a preview with title, content, content_type and status on tool_call_result', () => {
    const result = busy.events.find(({ subtype }) => subtype === 'tool_call_result')
    expect(result?.data.preview).toMatchObject({
      title: 'a.md',
      content: '# A',
      content_type: 'markdown',
      status: 'completed',
    })
  })

  test('have a preview of null on tool_call_start', () => {
    expect(busy.events.find(({ subtype }) => subtype === 'tool_call_start')?.data.preview).toBeNull()
  })

  test('show a tool that fails with status error', async () => {
    const call = `call create_file ${JSON.stringify({ name: 'a.exe', content: 'x' })}`
    const { events } = await streamed(talk.path, `${call}\nsay Sorry`)
    expect(events.find(({ subtype }) => subtype === 'tool_call_result')?.data.preview.status).toBe('error')
    expect(events.at(-1)?.type).toBe('end_response')
  })

  test('have a ping when nothing else came for a second', async () => {
    const { events } = await streamed((await newConversation()).path, 'wait 2000\nsay x')
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['metadata', 'ping'])
  })
})

describe('a stream that fails', () => {
  test('has an error event with a text, and nothing but [DONE] after it', async () => {
    const { events, wire } = await streamed((await newConversation()).path, 'fail')
    expect(shapeOf(events)).toEqual(['metadata', 'error'])
    expect(events.at(-1)!.text).toMatch(/\w/)
    expect(wire().endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('keeps what was said before', async () => {
    const own = await newConversation()
    const { events } = await streamed(own.path, 'say half\nwait 50\nfail')
    const message = await own.message(events[0]!.data.message_id)
    expect(message).toMatchObject({ ai_resolution_status: 'completed', error_message: events.at(-1)!.text })
  })

  test('before it began is an ordinary error answer', async () => {
    const body = { query: 'say x', is_stream: true }
    expectError(await api.post(`/agents/${talk.agent.id}/chats/${freshId()}/query`, body), 404, 'CHAT_NOT_FOUND')
    expectError(await api.post(`${talk.path}/query`, { ...body, query: ' ' }), 400, 'VALIDATION_ERROR')
  })
})

describe('reading the events of a message again', () => {
  const eventsPath = ({ events }: OpenStream) => `${talk.path}/message/${events[0]!.data.message_id}/events`

  test('after its end gives it all, from metadata to [DONE]', async () => {
    const again = await openStream(eventsPath(thoughtful))
    await again.done()
    expect(shapeOf(again.events)).toEqual(shapeOf(thoughtful.events))
    expect(textOf(again, 'response')).toBe('Yes')
    expect(again.wire().endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('has id lines with the sequence numbers', async () => {
    const again = await openStream(eventsPath(plain))
    await again.done()
    const ids = [...again.wire().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    expect(ids.slice(0, again.events.length)).toEqual(again.events.map(({ sequence_number }) => sequence_number))
  })

  test('goes on after starting_after', async () => {
    const { sequence_number } = thoughtful.events.find(({ type }) => type === 'end_reasoning')!
    const rest = await openStream(`${eventsPath(thoughtful)}?starting_after=${sequence_number}`)
    await rest.done()
    expect(shapeOf(rest.events)).toEqual(['response', 'end_response'])
    expect(rest.events[0]!.sequence_number).toBeGreaterThan(sequence_number)
  })

  test('goes on after Last-Event-ID', async () => {
    const { sequence_number } = thoughtful.events.find(({ type }) => type === 'end_reasoning')!
    const rest = await openStream(eventsPath(thoughtful), undefined, { 'last-event-id': String(sequence_number) })
    await rest.done()
    expect(shapeOf(rest.events)).toEqual(['response', 'end_response'])
  })

  test('after the last event gives [DONE] alone', async () => {
    const last = plain.events.at(-1)!.sequence_number
    const rest = await openStream(`${eventsPath(plain)}?starting_after=${last}`)
    await rest.done()
    expect([rest.events, rest.wire()]).toEqual([[], expect.stringContaining('data: [DONE]\n\n')])
  })

  test('while it runs goes on live', async () => {
    const own = await newConversation()
    const first = await openStream(`${own.path}/query`, { query: 'say one\nwait 250\nsay  two', is_stream: true })
    const { data } = await first.seen(({ type }) => type === 'metadata')
    const second = await openStream(`${own.path}/message/${data.message_id}/events`)
    await Promise.all([first.done(), second.done()])
    expect(textOf(second, 'response')).toBe(textOf(first, 'response'))
  })

  for (const value of ['x', '1.5', '', '-2'])
    test(`starting_after=${value} is 400`, async () => {
      expectError(await api.get(`${eventsPath(plain)}?starting_after=${value}`), 400, 'VALIDATION_ERROR')
    })

  test('of an unknown message is 404 MESSAGE_NOT_FOUND', async () => {
    expectError(await api.get(`${talk.path}/message/${freshId()}/events`), 404, 'MESSAGE_NOT_FOUND')
  })
})
