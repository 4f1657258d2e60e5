import { expect, test } from 'vitest'
import { citingSentences, findCitedRows } from './cited-rows.ts'

const HOURS = `Day: Tuesday | Opens: 10:00 | Closes: 18:00
Day: Thursday | Opens: 10:00 | Closes: 21:00
Day: Sunday | Opens: 9:00 | Closes: 18:00`

test.each([
  ['On Thursday the house closes at 21:00.', [1]],
  ['It opens at 9 on Sunday, and closes at 18:00.', [2]],
  ['Tuesday and Thursday it opens at 10:00.', [0, 1]],
  ['The opens and closes of each day are listed.', []],
  ['Nothing of it.', []],
  ['', []],
])('“%s” is about the rows %j', (said, rows) => {
  expect(findCitedRows(HOURS, said)).toEqual(rows)
})

test('a passage that is no table has no rows', () => {
  expect(findCitedRows('The lamp turns.\nThe boat comes on Tuesday.', 'on Tuesday')).toEqual([])
  expect(findCitedRows('Day: Tuesday | Opens: 10:00', 'on Tuesday')).toEqual([])
  expect(findCitedRows('', 'on Tuesday')).toEqual([])
})

test('of an e-mail the lines count that were written', () => {
  const mail = 'From: Ada <ada@example.com>\nTo: Bob\nSubject: The lamp\n\nIt turns.\nTwelve seconds: always.'
  expect(findCitedRows(mail, 'It turns every twelve seconds.')).toEqual([4, 5])
  expect(findCitedRows('Subject: The lamp', 'The lamp')).toEqual([])
})

test('of an answer the sentences count that cite the source', () => {
  const answer =
    'The house is closed on Monday [2]. On Thursday it is open until nine. [1, 3] Come early!\n| Sunday | 9 [1] |'
  expect(citingSentences(answer, 1)).toMatch(/On Thursday it is open until nine.*Sunday/)
  expect(citingSentences(answer, 1)).not.toMatch(/Monday|early/)
  expect(citingSentences(answer, 2)).toContain('Monday')
  expect(citingSentences('No citation here.', 4)).toBe('No citation here.')
})
