import { expect, test } from 'vitest'
import { findPassage, splitWords } from './find-passage.ts'

const find = (text: string, passage: string) => {
  const words = splitWords(text)
  const found = findPassage(
    words.map((word) => word.text),
    splitWords(passage).map((word) => word.text),
  )
  return found && text.slice(words[found.first]!.start, words[found.last]!.end)
}

const PAGE = `Rules of the house. The lamp is lit at sun-
set, and must turn 12 once every twelve seconds. The boat comes on Tuesdays.`

test('a passage is found however its lines are broken and its marks set', () => {
  expect(find(PAGE, '**The boat** comes, on tuesdays!')).toBe('The boat comes on Tuesdays')
  expect(find(PAGE, 'The lamp is lit at sunset, and must turn once every twelve seconds.')).toBe(
    'The lamp is lit at sun-\nset, and must turn 12 once every twelve seconds',
  )
  expect(find('Crème brûlée für zwei', 'creme BRULEE fur')).toBe('Crème brûlée für')
})

test('of several places the one that holds most of it', () => {
  const text = `The lamp is old. ${'Nothing else. '.repeat(40)}The lamp is lit at dusk and turns.`
  expect(find(text, 'The lamp is lit at dusk and turns')).toBe('The lamp is lit at dusk and turns')
})

test('of a passage that goes on elsewhere the part that is there', () => {
  const rest = 'And so it goes on for many more words, none of which stand on this page at all. '.repeat(5)
  expect(find('The crate stays closed for a day.', `The crate stays closed for a day. ${rest}`)).toBe(
    'The crate stays closed for a day',
  )
})

test('short passages count whole', () => {
  expect(find('one two three', 'two')).toBe('two')
  expect(find('one two three', 'two three')).toBe('two three')
})

test('what is not there is not found', () => {
  expect(find(PAGE, 'Something that nobody ever wrote in this house')).toBeUndefined()
  expect(find(PAGE, '')).toBeUndefined()
  expect(find('', 'lamp')).toBeUndefined()
  expect(find(PAGE, `The boat comes ${'and never goes away again, '.repeat(10)}`)).toBeUndefined()
})
