import { expect, test } from 'vitest'
import { kindOf, type MetadataValue, toEdited, toValue } from './values.ts'

test.each<[MetadataValue, string]>([
  ['Board', 'text'],
  ['2026-03-31', 'date'],
  ['2026-13-31', 'text'],
  ['2026-03-31T09:30:00Z', 'time'],
  ['March 2026', 'text'],
  [2026, 'number'],
  [false, 'boolean'],
  [['a', 1], 'list'],
  [[1, 2.5], 'numbers'],
])('%j is of the kind %s, and stays as it is while nobody edits it', (value, kind) => {
  expect(kindOf(value)).toBe(kind)
  expect(toValue(toEdited(value), value)).toBe(value)
})

test('what is edited becomes a value of its kind', () => {
  const edit = (kind: 'number' | 'boolean' | 'date' | 'text', text: string) => toValue({ kind, text, items: [] })
  expect(edit('number', '12.5')).toBe(12.5)
  expect(edit('number', '')).toBeUndefined()
  expect(edit('boolean', 'false')).toBe(false)
  expect(edit('date', '2026-03-31')).toBe('2026-03-31')
  expect(edit('text', '')).toBe('')
  const at = '2026-03-31T09:30:00.000Z'
  const { text } = toEdited(at)
  expect(toValue({ kind: 'time', text, items: [] })).toBe(at)
})

test('items of a list keep their kind', () => {
  const edit = (items: string[], before: MetadataValue) => toValue({ kind: 'list', text: '', items }, before)
  expect(toValue({ kind: 'numbers', text: '', items: ['1', '2', '3'] }, [1, 2])).toEqual([1, 2, 3])
  expect(edit(['true', 'new'], [true, '1'])).toEqual([true, 'new'])
  expect(edit(['1'], ['a'])).toEqual(['1'])
})
