import { expect, test } from 'vitest'
import { foldCopies } from './fold-copies.ts'

const LONG = Array.from({ length: 20 }, (_, index) => `Word${index}`).join(' ')

const fold = (limit: number, ...items: [text: string, ...headings: string[]][]) =>
  foldCopies(items, limit, ([text, ...headings]) => ({ text, headings })).map((item) => items.indexOf(item))

test('what says the same word for word is kept once, the first of it', () => {
  expect(fold(9, [LONG], ['Other'], [LONG.toUpperCase().replaceAll(' ', ',\n')], [`${LONG} more`])).toEqual([0, 1, 3])
})

test('numbers and headings that differ make another text, and short texts are left alone', () => {
  expect(fold(9, [`${LONG} in 30 days`], [`${LONG} in 60 days`])).toEqual([0, 1])
  expect(fold(9, [LONG, 'Berlin'], [LONG, 'Paris'], [LONG, 'Berlin'])).toEqual([0, 1])
  expect(fold(9, ['It opens at eight.'], ['It opens at eight.'])).toEqual([0, 1])
})

test('as many are kept as are wanted, copies not counted', () => {
  expect(fold(2, [LONG], [LONG], ['Other'], ['More'])).toEqual([0, 2])
})
