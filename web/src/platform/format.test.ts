import { expect, test } from 'vitest'
import { formatBytes, formatDollars, formatDue, formatTime, shorten, toWords } from './format.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_234, '1.2 KB'],
  [999_999, '1000 KB'],
  [12_345_678, '12 MB'],
  [2e13, '20000 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [0, '$0.00'],
  [0.000_012_3, '$0.000012'],
  [0.5, '$0.50'],
  [12.345, '$12.35'],
])('%f dollars are %s', (dollars, text) => {
  expect(formatDollars(dollars)).toBe(text)
})

test('times are told as people say them', () => {
  const now = Date.parse('2026-05-10T12:00:00Z')
  const before = (seconds: number) => formatTime(new Date(now - seconds * 1000).toISOString(), now)
  expect([10, 120, 7_200, 90_000, 30 * 86_400].map(before)).toEqual([
    'just now',
    '2 minutes ago',
    '2 hours ago',
    'yesterday',
    'Apr 10, 2026',
  ])
})

test('what is to come is told by how long it takes, and by its day when that is far', () => {
  const now = Date.parse('2026-05-10T12:00:00Z')
  const after = (seconds: number) => formatDue(new Date(now + seconds * 1000).toISOString(), now)
  expect([-5, 30, 120, 7_200, 3 * 86_400, 7 * 86_400 - 1, 30 * 86_400].map(after)).toEqual([
    'now',
    'in a moment',
    'in 2 minutes',
    'in 2 hours',
    'in 3 days',
    'in 7 days',
    'on Jun 9, 2026',
  ])
})

test('long text is cut between words, and on one line', () => {
  expect(shorten('a short one', 20)).toBe('a short one')
  expect(shorten('how does\n the lamp turn at night', 20)).toBe('how does the lamp…')
  expect(shorten('x'.repeat(30), 20)).toBe(`${'x'.repeat(20)}…`)
})

test.each([
  ['file_name', 'File name'],
  ['fileName', 'File name'],
  ['list-tickets', 'List tickets'],
  ['ticketURL', 'TicketURL'],
  ['__', ''],
])('%s in words is %s', (identifier, words) => expect(toWords(identifier)).toBe(words))
