import { expect, test } from 'vitest'
import { toEvent, toPing } from '../runs/run-log.ts'
import { EventBatch } from './event-batch.ts'
import { StreamEvent } from './events.schemas.ts'

const MESSAGE = '0123456789abcdef01234567'
const PREVIEW = { title: 'T', content: 'a "b"\n', content_type: 'markdown', status: 'completed' } as const

/** Each type of event, and what a client of the contract has always read for it. */
const WIRE: [StreamEvent, string][] = [
  [
    toEvent({ type: 'metadata', seq: 0 }, MESSAGE),
    '{"type":"metadata","subtype":null,"text":"","extended_text":null,"data":{"message_id":"0123456789abcdef01234567"},"elapsed_ms":null,"sequence_number":0}',
  ],
  [toPing(1), '{"type":"ping","subtype":null,"text":"","extended_text":null,"data":null,"sequence_number":1}'],
  [
    { type: 'response', subtype: null, text: 'a "b"\n👋', extended_text: null, data: null, sequence_number: 2 },
    '{"type":"response","subtype":null,"text":"a \\"b\\"\\n👋","extended_text":null,"data":null,"sequence_number":2}',
  ],
  [
    { sequence_number: 3, data: null, text: '\ud83d', type: 'reasoning', extended_text: null, subtype: null },
    '{"type":"reasoning","subtype":null,"text":"\\ud83d","extended_text":null,"data":null,"sequence_number":3}',
  ],
  [
    toEvent({ type: 'end_reasoning', seq: 4 }, MESSAGE),
    '{"type":"end_reasoning","subtype":null,"text":"","extended_text":null,"data":null,"sequence_number":4}',
  ],
  [
    toEvent(
      {
        type: 'live_update',
        seq: 5,
        subtype: 'tool_call_result',
        data: { tool_name: 'search', tool_call_id: 'c', preview: PREVIEW, arguments: { q: 1 } },
        elapsed_ms: 12,
      },
      MESSAGE,
    ),
    '{"type":"live_update","subtype":"tool_call_result","text":"search","extended_text":null,"data":{"tool_name":"search","tool_call_id":"c","preview":{"title":"T","content":"a \\"b\\"\\n","content_type":"markdown","status":"completed"},"arguments":{"q":1}},"elapsed_ms":12,"sequence_number":5}',
  ],
  [
    toEvent({ type: 'end_response', seq: 6, data: { message_id: MESSAGE, citations: [] } }, MESSAGE),
    '{"type":"end_response","subtype":null,"text":"","extended_text":null,"data":{"message_id":"0123456789abcdef01234567","citations":[]},"sequence_number":6}',
  ],
  [
    toEvent({ type: 'error', seq: 7, text: 'no' }, MESSAGE),
    '{"type":"error","subtype":null,"text":"no","extended_text":null,"data":null,"sequence_number":7}',
  ],
]

test.each(WIRE)('an event of each type has its bytes: %#', (event, json) => {
  expect(StreamEvent.parse(JSON.parse(json))).toEqual(event)
  const batch = new EventBatch([event])
  expect(batch.sse).toBe(`data: ${json}\n\n`)
  expect(batch.sseWithIds).toBe(`id: ${event.sequence_number}\ndata: ${json}\n\n`)
})

test('events that went to another process as JSON have the same bytes there', () => {
  const batch = new EventBatch(WIRE.map(([event]) => event))
  const there = new EventBatch(JSON.parse(JSON.stringify(batch.events)))
  expect([there.sse, there.sseWithIds]).toEqual([batch.sse, batch.sseWithIds])
})

test('each event has its id, whatever its text looks like', () => {
  const texts = ['\u2028', '\u2029"', '\n\ndata: {"sequence_number":7}', '"sequence_number":8}', 'data: [DONE]\n\n']
  const events = texts.map((text, index) => ({ ...toPing(index), type: 'response' as const, text }))
  const batch = new EventBatch(events as StreamEvent[])
  const frames = batch.sseWithIds.split('\n\n').filter((frame) => frame !== '')
  expect(frames.map((frame) => frame.slice(0, frame.indexOf('\n')))).toEqual(texts.map((_, index) => `id: ${index}`))
  expect(frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('\n') + 'data: '.length + 1)).text)).toEqual(texts)
})

test('a batch is encoded once, when it is first sent', () => {
  let reads = 0
  const event = {
    ...toPing(1),
    type: 'response' as const,
    get text() {
      reads++
      return 'a'
    },
  } as StreamEvent
  const batch = new EventBatch([event])
  expect(reads).toBe(0)
  expect(batch.sse).toBe(batch.sse)
  expect(reads).toBe(1)
})
