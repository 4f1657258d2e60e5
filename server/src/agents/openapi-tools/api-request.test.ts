import { expect, test } from 'vitest'
import { everyRow } from '../../../tests/support/every-row.ts'
import type { ApiOperation, ApiParameter } from './api-document.ts'
import { toRequest } from './api-request.ts'

const BASE = 'https://api.example/v1/'

const parameter = (some: Partial<ApiParameter>): ApiParameter => ({
  ...{ argument: 'a', name: 'a', in: 'query', style: 'form', explode: true },
  ...some,
})

const operation = (path: string, ...parameters: ApiParameter[]): ApiOperation => ({
  ...{ id: 'one', method: 'GET', path, summary: '', description: '', isDeprecated: false },
  ...{ parameters, body: null, schema: {}, problem: null },
})

test('parameters are written in the styles that documents name', () =>
  everyRow(
    [
      [parameter({}), 'x y&z', '?a=x%20y%26z'],
      [parameter({}), ['x', 1, true], '?a=x&a=1&a=true'],
      [parameter({ explode: false }), ['x', 'y'], '?a=x,y'],
      [parameter({ style: 'pipeDelimited', explode: false }), ['x', 'y'], '?a=x|y'],
      [parameter({ style: 'deepObject' }), { from: 1, to: 2 }, '?a[from]=1&a[to]=2'],
      [parameter({ style: 'json' }), { from: 1 }, '?a=%7B%22from%22%3A1%7D'],
      [parameter({}), null, ''],
    ] as const,
    (one, value, query) => {
      const { search } = new URL(toRequest(BASE, operation('/things', one), null, { a: value }).url)
      expect(search).toBe(query)
    },
  ))

test('no argument leads out of the place that the document gives it', async () => {
  const inPath = operation('/things/{a}/parts', parameter({ in: 'path', style: 'simple', explode: false }))
  const url = (value: unknown) => toRequest(BASE, inPath, null, { a: value }).url
  expect(url('x/../../admin?b=1#c')).toBe('https://api.example/v1/things/x%2F..%2F..%2Fadmin%3Fb%3D1%23c/parts')
  expect(url([1, 2])).toBe('https://api.example/v1/things/1,2/parts')
  await everyRow(['..', '.', '', null, undefined], (value) => expect(() => url(value)).toThrow(/must not be/))
  const inHeader = operation('/things', parameter({ in: 'header', name: 'X-Trace', style: 'simple' }))
  expect(toRequest(BASE, inHeader, null, { a: 'one' }).headers).toMatchObject({ 'x-trace': 'one' })
  expect(() => toRequest(BASE, inHeader, null, { a: 'one\r\nhost: evil' })).toThrow(/line breaks/)
})

test('secrets are sent as the API wants them', () =>
  everyRow(
    [
      ['header', { 'x-key': 'geheim' }, ''],
      ['query', {}, '?x-key=geheim'],
      ['bearer', { authorization: 'Bearer geheim' }, ''],
      ['basic', { authorization: `Basic ${btoa('ada:geheim')}` }, ''],
    ] as const,
    (type, headers, search) => {
      const auth = { type, name: 'x-key', username: 'ada', secret: 'geheim' }
      const request = toRequest(BASE, operation('/things'), auth, {})
      expect(request.headers).toMatchObject(headers)
      expect(new URL(request.url).search).toBe(search)
    },
  ))
