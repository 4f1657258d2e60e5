import { expect, test } from 'vitest'
import { MalformedJsonError, ValidationError } from '../../errors.ts'
import { isStorable, parseJson } from './json-body.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth)

test.each([
  ['{"a":[1,2.5,true,null,"x"]}', { a: [1, 2.5, true, null, 'x'] }],
  ['\uFEFF{"a":1}', { a: 1 }],
  [' "text" ', 'text'],
  ['{"a":"\\u00fc \\ud83c\\udf89 \\\\u0000"}', { a: 'ü 🎉 \\u0000' }],
])('%j is read', (text, value) => {
  expect(parse(text)).toEqual(value)
})

test.each(['', '{', '{"a":}', "{'a':1}", '{"a":1,}', 'undefined', '{"a":1} x', '{"a":"\u0000"}', '[1,]', 'NaN'])(
  '%j is no JSON',
  (text) => {
    expect(() => parse(text)).toThrow(MalformedJsonError)
  },
)

test('32 levels are taken, 33 are not', () => {
  expect(parse(nested(32))).toBeInstanceOf(Array)
  expect(() => parse(nested(33))).toThrow('The body is nested deeper than 32 levels')
  expect(() => parse(`{"a":${nested(32)}}`)).toThrow(ValidationError)
  expect(() => parse(`{"a":${'{"a":'.repeat(32)}1${'}'.repeat(33)}`)).toThrow(ValidationError)
})

test('a hundred thousand levels are refused, not built', () => {
  expect(() => parse(nested(100_000))).toThrow(ValidationError)
  expect(() => parse('['.repeat(100_000))).toThrow(ValidationError)
})

test('brackets side by side and in texts are no depth', () => {
  expect(parse(`[${'[],'.repeat(100)}{}]`)).toHaveLength(101)
  const text = '[{'.repeat(50)
  expect(parse(JSON.stringify({ a: text, b: `"${text}\\"` }))).toEqual({ a: text, b: `"${text}\\"` })
})

test.each([
  ['{"a":"x\\u0000"}', 'a'],
  ['{"a":{"b":["ok","\\ud800"]}}', 'a.b.1'],
  ['{"a":"\\udc00\\ud800"}', 'a'],
  ['{"a":[{"\\u0000":1}]}', 'a.0'],
])('%s cannot be stored alike everywhere', (text, path) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({
      name: 'ValidationError',
      details: [{ path, message: expect.stringContaining('cannot be stored') }],
    }),
  )
})

test.each([[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]])('bytes %j are no UTF-8', (...bytes) => {
  const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])
  expect(() => parseJson(body)).toThrow('The body is not valid UTF-8')
})

test('a text can be stored unless it holds a zero character or half of a pair', () => {
  expect([isStorable('ü 🎉 \u0001'), isStorable('a\u0000'), isStorable('a\ud83c'), isStorable('')]).toEqual([
    true,
    false,
    false,
    true,
  ])
})
