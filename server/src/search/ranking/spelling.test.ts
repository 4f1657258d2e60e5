import { expect, test } from 'vitest'
import { everyRow } from '../../../tests/support/every-row.ts'
import { countSlips, mayBeMisspelt, nearestWord } from './spelling.ts'

test('a letter left out, added or changed, or two that changed places, is one slip', () =>
  everyRow(
    [
      ['valve', 'valve', 0],
      ['vlve', 'valve', 1],
      ['vallve', 'valve', 1],
      ['vabve', 'valve', 1],
      ['vavle', 'valve', 1],
      ['vlave', 'valve', 1],
      ['avvle', 'valve', 2],
      ['', 'valve', 5],
    ],
    (a, b, slips) => expect([countSlips(a, b), countSlips(b, a)]).toEqual([slips, slips]),
  ))

test('the nearest word counts, then the most frequent; long words may have two slips, and the first letter is right', () =>
  everyRow<[string, string[], string | undefined]>(
    [
      ['valvs', ['valve', 'salvs'], 'valve'],
      ['paster', ['pastor', 'poster', 'poster'], 'poster'],
      ['turbn', ['turbine'], undefined],
      ['aerodnamik', ['aerodynamic', 'aeroplane'], 'aerodynamic'],
      ['dampfkesel', ['dampfkessel'], 'dampfkessel'],
      ['перевоз', ['перевод', 'перенос'], 'перевод'],
      ['valve', [], undefined],
    ],
    (term, words, meant) => expect(nearestWord(term, words)).toBe(meant),
  ))

test('short words, numbers and part numbers are taken as they are', () => {
  expect(['valv', 'ab1234', '2024', 'kiln2'].map(mayBeMisspelt)).toEqual([false, false, false, false])
  expect(mayBeMisspelt('turbin')).toBe(true)
})
