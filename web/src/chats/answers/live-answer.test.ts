import type { Message, Review, StreamEvent } from '@docent/sdk'
import { expect, test } from 'vitest'
import { groupSteps } from '../steps/step-groups.ts'
import { mergeTurns } from '../turns/turns.ts'
import { addEvent, addProgress, beginAnswer, type LiveAnswer } from './live-answer.ts'

const path = { agentId: 'a', chatId: 'c' }
const begun = beginAnswer(path, 'm1', 'Why?')
const event = (type: string, fields: object = {}) => ({ type, text: '', data: null, ...fields }) as StreamEvent
/** Applies events one after the other. */
const numbered = (events: StreamEvent[]) => events.map((one, index) => ({ ...one, sequence_number: index }))
const play = (events: StreamEvent[], from: LiveAnswer = begun) =>
  events.reduce((answer, one) => addEvent(answer, one, 0), from)

const metadata = event('metadata', { data: { message_id: 'm1' } })
const tool = (subtype: string, tool_name: string, title?: string) =>
  event('live_update', {
    subtype,
    data: { tool_name, preview: title ? { title, content: '', content_type: 'text', status: 'completed' } : null },
  })

const message = (fields: Partial<Message> = {}): Message =>
  ({
    id: 'm1',
    query: 'Why?',
    response: 'Because.',
    reasoning: '',
    citations: [],
    error_message: null,
    ai_resolution_status: 'completed',
    ...fields,
  }) as Message

test('tokens add up, and steps are told in their order', () => {
  const answer = play([
    metadata,
    event('ping'),
    event('reasoning', { text: 'Let ' }),
    event('reasoning', { text: 'me see' }),
    event('end_reasoning'),
    tool('tool_call_start', 'search_knowledge'),
    tool('tool_call_start', 'read_file'),
    tool('tool_call_result', 'search_knowledge', 'Search: why'),
    event('response', { text: 'Be' }),
    event('response', { text: 'cause' }),
    event('something_new', { text: 'ignored' }),
  ])
  expect(answer).toMatchObject({ state: 'streaming', response: 'Because' })
  expect(answer.steps).toMatchObject([
    { kind: 'reasoning', text: 'Let me see', isDone: true },
    { kind: 'tool', toolName: 'search_knowledge', preview: { title: 'Search: why' }, isDone: true },
    { kind: 'tool', toolName: 'read_file', preview: null, isDone: false },
  ])
})

test('a stream that is read again from its start doubles nothing', () => {
  const events = [metadata, tool('tool_call_start', 'search_knowledge'), event('response', { text: 'Because' })]
  expect(play([...events, ...events])).toEqual(play(events))
})

test('a stored message that is behind the stream takes nothing away', () => {
  const answer = play([metadata, event('response', { text: 'Because of' })])
  expect(addProgress(answer, message({ response: 'Because' })).response).toBe('Because of')
  expect(addProgress(answer, message({ response: 'Because of it' })).response).toBe('Because of it')
})

test('what a stored message knew before its events is not told twice', () => {
  const first = numbered([metadata, event('reasoning', { text: 'Hm' }), event('response', { text: 'Because' })])
  const ahead = addProgress(play(first), message({ response: 'Because of', reasoning: 'Hm', review: null }))
  expect(ahead).toMatchObject({ lastEvent: 2, response: 'Because of' })
  const whole = play([event('response', { text: ' of it' })], ahead)
  expect(whole).toMatchObject({ response: 'Because of it', steps: [{ text: 'Hm' }] })
})

test('it waits for a review, and goes on behind it', () => {
  const review = { id: 'r1', kind: 'question', text: 'Which one?' } as Review
  const waiting = play([metadata, event('response', { text: 'So ' }), event('review_request', { data: { review } })])
  expect(waiting).toMatchObject({ state: 'waiting', review: { id: 'r1' } })
  expect(play([event('ping')], waiting).state).toBe('waiting')
  const wentOn = play([event('response', { text: 'that one' })], waiting)
  expect(wentOn).toMatchObject({ state: 'streaming', review: null, response: 'So that one' })
  const decided = addProgress(waiting, message({ ai_resolution_status: 'in_progress', response: 'So ', review: null }))
  expect(decided).toMatchObject({ state: 'streaming', review: null, response: 'So ' })
})

test('calls of one tool are told apart, and those of sub-agents lie within the call that put these to work', () => {
  const call = (subtype: string, tool_call_id: string, elapsed_ms: number, more: object = {}) =>
    event('live_update', { subtype, elapsed_ms, data: { tool_name: 'search', preview: null, tool_call_id, ...more } })
  const { steps } = play([
    metadata,
    call('tool_call_start', 'outer', 10, { arguments: { task: 'Find it' } }),
    call('tool_call_start', 'inner-1', 20, { agent: { id: 'b', name: 'Keeper' }, parent_tool_call_id: 'outer' }),
    call('tool_call_start', 'inner-2', 30, { agent: { id: 'b', name: 'Keeper' }, parent_tool_call_id: 'outer' }),
    call('tool_call_result', 'inner-1', 50),
    call('tool_call_result', 'outer', 90),
    call('tool_call_end', 'outer', 95),
  ])
  expect(groupSteps(steps)).toMatchObject([
    {
      step: { callId: 'outer', isDone: true, endedMs: 95, given: { task: 'Find it' } },
      inner: [
        { step: { callId: 'inner-1', isDone: true, endedMs: 50, agentName: 'Keeper' } },
        { step: { callId: 'inner-2', isDone: false } },
      ],
    },
  ])
})

test('a question is shown once, wherever it is known from', () => {
  const streaming = play([metadata, event('response', { text: 'Bec' })])
  const unfinished = message({ ai_resolution_status: 'in_progress', response: '' })
  const first = message({ id: 'm0', query: 'First' })
  expect(mergeTurns([first], [streaming]).map(({ id }) => id)).toEqual(['m0', 'm1'])
  expect(mergeTurns([first, unfinished], [streaming])).toMatchObject([{ id: 'm0' }, { id: 'm1', response: 'Bec' }])
  expect(mergeTurns([unfinished], [])).toMatchObject([{ id: 'm1', state: 'following' }])
})

test('once it is done the message is the truth, and the steps stay', () => {
  const done = { ...play([metadata, tool('tool_call_start', 'read_file')]), state: 'done' as const }
  const [turn] = mergeTurns([message({ reasoning: 'Hm' })], [done])
  expect(turn).toMatchObject({ state: 'done', response: 'Because.', steps: [{ toolName: 'read_file' }] })
  expect(mergeTurns([], [done])).toEqual([])
})

test('what is stored already is the same turn while another one streams, and is not drawn again', () => {
  const first = message({ id: 'm0', query: 'First' })
  const [before] = mergeTurns([first], [play([metadata, event('response', { text: 'Bec' })])])
  const [after] = mergeTurns([first], [play([metadata, event('response', { text: 'Because' })])])
  expect(after).toBe(before)
})

test('a question that the server refused stays, with the reason', () => {
  const refused = { ...begun, state: 'refused' as const, error: 'Too many' }
  expect(mergeTurns([], [refused])).toMatchObject([{ query: 'Why?', state: 'refused', error: 'Too many' }])
})
