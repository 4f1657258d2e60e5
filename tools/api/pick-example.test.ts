import { expect, test } from 'vitest'
import { pickExample } from './pick-example.ts'

const answered = { operation: 'messages.get', status: 200, params: {}, query: {} }

test('JSON is picked before text, more text before less, and text before bytes alone', () => {
  const json = { ...answered, answer: { id: 'a' } }
  const events = { ...answered, answer: 'data: 1\n\ndata: 2\n\n' }
  const event = { ...answered, answer: 'data: 1\n\n' }
  const bytes = { ...answered, headers: { etag: '"a"' } }
  const failed = { ...answered, status: 404, answer: { error_code: 'NOT_FOUND', message: 'There is none' } }
  const all = [failed, bytes, event, events, json]
  const picked = [5, 4, 3, 2, 1].map((many) => pickExample(all.slice(0, many)))
  expect(picked).toEqual([
    { answer: json.answer },
    { answer: events.answer },
    { answer: event.answer },
    { headers: bytes.headers },
    undefined,
  ])
})
