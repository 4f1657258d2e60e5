import type { Message, StreamEvent } from '@docent/sdk'
import { expect, test } from 'vitest'
import { addEvent, addProgress, beginAnswer, type LiveAnswer } from './live-answer.ts'
import { turnsOf } from './turns.ts'

const path = { agentId: 'a', chatId: 'c' }
const begun = beginAnswer(path, 'm1', 'Why?')
const event = (type: string, fields: object = {}) => ({ type, text: '', data: null, ...fields }) as StreamEvent
const play = (events: StreamEvent[], from: LiveAnswer = begun) => events.reduce(addEvent, from)

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

test('a question is shown once, wherever it is known from', () => {
  const streaming = play([metadata, event('response', { text: 'Bec' })])
  const unfinished = message({ ai_resolution_status: 'in_progress', response: '' })
  const first = message({ id: 'm0', query: 'First' })
  expect(turnsOf([first], [streaming]).map(({ id }) => id)).toEqual(['m0', 'm1'])
  expect(turnsOf([first, unfinished], [streaming])).toMatchObject([{ id: 'm0' }, { id: 'm1', response: 'Bec' }])
  expect(turnsOf([unfinished], [])).toMatchObject([{ id: 'm1', state: 'following' }])
})

test('once it is done the message is the truth, and the steps stay', () => {
  const done = { ...play([metadata, tool('tool_call_start', 'read_file')]), state: 'done' as const }
  const [turn] = turnsOf([message({ reasoning: 'Hm' })], [done])
  expect(turn).toMatchObject({ state: 'done', response: 'Because.', steps: [{ toolName: 'read_file' }] })
  expect(turnsOf([], [done])).toEqual([])
})

test('a question that the server refused stays, with the reason', () => {
  const refused = { ...begun, state: 'refused' as const, error: 'Too many' }
  expect(turnsOf([], [refused])).toMatchObject([{ query: 'Why?', state: 'refused', error: 'Too many' }])
})
