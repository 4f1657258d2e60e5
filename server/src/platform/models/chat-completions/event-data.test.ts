import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { seededIntegers } from '../../../../tests/support/seeded-random.ts'
import { createEventData } from './event-data.ts'

const PARTS = [
  'data: {"a":1}\n\n',
  'data: {"b":"data: x"}\n\n',
  'data: [DONE]\n\n',
  'data:no space\n\n',
  'data: one\ndata: two\n\n',
  'event: ping\ndata: {}\n\n',
  ': comment\n\n',
  ': comment\n',
  'id: 7\n',
  'data: crlf\r\n\r\n',
  'data: cr\r\r',
  'data: \n\n',
  'data\n\n',
  '\n',
  '\r\n',
  'data: ü 👋\u2028\n\n',
  'data: half',
]

test('gives the data that a parser gives, whatever comes and however it is cut', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = seededIntegers(seed)
    const stream =
      (seed % 7 === 0 ? '\uFEFF' : '') + Array.from({ length: 30 }, () => PARTS[random(PARTS.length)]).join('')
    const expected: string[] = []
    const parser = createParser({ onEvent: ({ data }) => expected.push(data) })
    const found: string[] = []
    const takeAt = (chunk: string, from: number) => {
      if (seed % 3 > 0 || !chunk.startsWith(PARTS[0]!, from)) return from
      found.push('{"a":1}')
      return from + PARTS[0]!.length
    }
    const take = createEventData({ maxCharacters: 1_000, takeAt, onData: (data) => found.push(data), onTooLong() {} })
    const isWhole = seed % 2 === 0
    for (let from = 0; from < stream.length; ) {
      const next = stream.indexOf('\n\n', from)
      const to = isWhole && next !== -1 ? next + 2 : from + 1 + random(20)
      parser.feed(stream.slice(from, to))
      take(stream.slice(from, to))
      from = to
    }
    expect(found, `seed ${seed}`).toEqual(expected)
  }
})

test('what its taker throws comes out, and an event without an end is reported', () => {
  const take = createEventData({
    maxCharacters: 100,
    onData(data) {
      if (data === 'bad') throw new Error('unreadable')
    },
    onTooLong() {
      throw new Error('too long')
    },
  })
  take('data: good\n\n')
  expect(() => take('data: good\n\ndata: bad\n\n')).toThrow('unreadable')
  expect(() => {
    for (let i = 0; i < 20; i++) take('data: longer')
  }).toThrow('too long')
})
