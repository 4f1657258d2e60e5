import { expect, test } from 'vitest'
import { foldCase } from './text.ts'

test.each([
  ['Contracts', 'CONTRACTS'],
  ['Caf\u00e9', 'CAFE\u0301'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['ǅungla', 'ǆUNGLA'],
  ['İstanbul', 'i̇STANBUL'],
])('%s and %s fold to the same text', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

test.each([
  ['a', 'b'],
  ['resume', 'résumé'],
  ['a b', 'a  b'],
])('%s and %s stay apart', (one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other))
})

test('a part of a text is found in the folded whole', () => {
  expect(foldCase('ΟΔΟΣΤΡΩΜΑ')).toContain(foldCase('οδος'))
  expect(foldCase(foldCase('Straße ΟΔΟΣ'))).toBe(foldCase('Straße ΟΔΟΣ'))
})
