import { expect, test } from 'vitest'
import { tidyExample } from './tidy-example.ts'

const tidied = (answer: unknown) => tidyExample({ answer }).answer
const ID = '6b099bb541ca75caa4ffb456'

test.each([
  ['http://127.0.0.1:35401/mcp', 'https://docent.example.com/mcp'],
  ['?iss=http%3A%2F%2F127.0.0.1%3A35401', '?iss=https%3A%2F%2Fdocent.example.com'],
  ['?to=http%3A%2F%2Flocalhost%3A9%2Fback', '?to=https%3A%2F%2Fdocent.example.com%2Fback'],
  ['127.0.0.1:4180', 'localhost'],
  ['127.0.0.1', '192.0.2.10'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'connect ECONNREFUSED 192.0.2.10:443'],
  ['/tmp/docent-x1/files/a.txt', '/srv/files/a.txt'],
  ['/dev/shm/docent-x1/files/a.txt', '/srv/files/a.txt'],
  ['dcl_nBfdgj6jlt0DrPh8GnOs2oIT', 'dcl_EXAMPLE'],
  ['/v1/shared/dcl_anrcay8JkfEYPf08diZ3hcKa/logo?v=6b7f', '/v1/shared/dcl_EXAMPLE/logo?v=6b7f'],
  ['whsec_K5oZfzN95Z9UVu1EsfQmfV/QhnkZ2pj9', 'whsec_EXAMPLE'],
  ['&secret=JF6FZG6TNFVFS3CQTWASYEKP2DSKBNEM&', '&secret=EXAMPLE&'],
  ['2027-11-27T18:56:24.123Z', '2026-01-31T09:30:00.000Z'],
  ['2026-11-22', '2026-01-31'],
  ['usage-2026-11-22.csv', 'usage-2026-01-31.csv'],
  [`dcc_${ID}`, 'dcc_6740a1b2c3d4e5f6a7b80001'],
  [`/agents%2F${ID}%3Fpart`, '/agents%2F6740a1b2c3d4e5f6a7b80001%3Fpart'],
  ['max_tool_output_characters', 'max_tool_output_characters'],
  ['quick_action_fields_with_values', 'quick_action_fields_with_values'],
])('%s becomes %s in an example, and stays so', (got, told) => {
  expect(tidied(got)).toBe(told)
  expect(tidied(told)).toBe(told)
})

test('a secret at the end of a long text is not cut to what passes for a word', () => {
  const text = `${'a '.repeat(140)}state=J5dGJiQjowf9xK2mQ7pL4tR8vW1zB3nY6`
  expect(tidied(text)).toBe(`${'a '.repeat(140)}state=EXAMPLE`)
})

test('one id stays one id in request, answer and names, and lists are short', () => {
  const { params, answer } = tidyExample({ params: { id: ID }, answer: { ids: [`${ID}`, 'b', 'c'], [ID]: 1 } })
  expect(answer).toEqual({ ids: [params!.id, 'b'], [params!.id!]: 1 })
})

test('text is cut behind whole events, or whole lines, and headers are tidied', () => {
  const event = `data: {"id":"${ID}"}\n\n`
  const events = tidied(event.repeat(60)) as string
  expect(events.length).toBeLessThanOrEqual(2_000)
  expect(events.endsWith('"}\n\n')).toBe(true)
  const lines = tidied('2026-11-22,first,line\r\n'.repeat(200)) as string
  expect(lines.split('\r\n').slice(0, -1)).toEqual(Array(lines.split('\r\n').length - 1).fill('2026-01-31,first,line'))
  expect(tidyExample({ headers: { etag: `"${'0a'.repeat(32)}"` } })).toEqual({
    headers: { etag: `"${'5e'.repeat(32)}"` },
  })
})
