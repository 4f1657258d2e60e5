import { expect, test } from 'vitest'
import { fromNames, toNames } from './reader-names.ts'

test('names become readers, and those names again', () => {
  const names = ['ada@example.com', 'Crew', 'Night crew', '@example.org']
  const readers = { emails: ['ada@example.com'], groups: ['Crew', 'Night crew'], domains: ['example.org'] }
  expect(fromNames(names)).toEqual(readers)
  expect(toNames(readers)).toEqual(names)
  expect(fromNames([])).toEqual({ emails: [], groups: [], domains: [] })
})
