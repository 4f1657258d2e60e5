import { expect, test } from 'vitest'
import { shareOfMissingNames } from './missing-names.ts'

const nothing = () => false

test('names that no passage holds are counted, and common words are not', () => {
  const texts = ['The lamp of Skerryvore turns every twelve seconds.']
  expect(shareOfMissingNames('When was Skerryvore built?', texts, nothing)).toBe(0)
  expect(shareOfMissingNames('When was Inchkeith built?', texts, nothing)).toBe(1)
  expect(shareOfMissingNames('Is Inchkeith older than Skerryvore?', texts, nothing)).toBe(1 / 2)
  expect(shareOfMissingNames('when was it built?', texts, nothing)).toBe(0)
})

test('a name in another form counts as held, and a question in the capitals of a title names nothing', () => {
  expect(shareOfMissingNames('Who keeps the Lamps of old?', ['a lamp'], (term) => term === 'lamp')).toBe(0)
  expect(shareOfMissingNames('How To Reset Passwords', ['a lamp'], nothing)).toBe(0)
})
