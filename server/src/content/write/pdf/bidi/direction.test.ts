import { expect, test } from 'vitest'
import { directionOf, forShaping, levelledRuns, onPaper } from './direction.ts'

test('a text runs as its first letter does, and without a letter in no direction', () => {
  const texts = ['1. (متى؟) when', 'When متى', 'שלום', '12 € — ?', '']
  expect(texts.map(directionOf)).toEqual(['rtl', 'ltr', 'rtl', undefined, undefined])
})

test('runs are cut where the direction changes, and keep their style', () => {
  const runs = [{ text: 'كتب Ada في ', bold: true }, { text: '1843' }]
  expect(levelledRuns(runs, 'rtl')).toEqual([
    { text: 'كتب ', bold: true, level: 1 },
    { text: 'Ada', bold: true, level: 2 },
    { text: ' في ', bold: true, level: 1 },
    { text: '1843', level: 2 },
  ])
  expect(levelledRuns([{ text: 'Ada כתב' }], 'ltr').map(({ level }) => level)).toEqual([0, 1])
})

test('code is one piece from left to right, wherever it stands; marks that order text are not shown', () => {
  const runs = [{ text: 'نص ' }, { text: 'run(1).', code: true }, { text: ' נ\u200f.\u202a' }]
  expect(levelledRuns(runs, 'rtl')).toEqual([
    { text: 'نص ', level: 1 },
    { text: 'run(1).', code: true, level: 2 },
    { text: ' נ.', level: 1 },
  ])
  expect(levelledRuns([{ text: 'a\u200eb' }], 'ltr')).toEqual([{ text: 'ab', level: 0 }])
})

test('what stands in a line is put in its order on paper', () => {
  const order = (...items: [string, number][]) =>
    onPaper(items.map(([text, level]) => ({ text, level })))
      .map(({ text }) => text)
      .join('')
  expect(order(['a', 0], ['b', 0])).toBe('ab')
  expect(order(['1', 1], ['2', 1], ['c', 2], ['d', 2], ['3', 1])).toBe('3cd21')
  expect(order(['a', 0], ['1', 1], ['2', 1], ['b', 0], ['3', 1], ['c', 0])).toBe('a21b3c')
  expect(order(['1', 1], ['c', 2], ['5', 3], ['6', 3], ['d', 2], ['2', 1])).toBe('2c65d1')
})

test('fontkit gets letters as they are read, and turned round what it would set in the other direction', () => {
  expect(forShaping('كلمة', 1)).toBe('كلمة')
  expect(forShaping('(كلمة', 1)).toBe(')كلمة')
  expect(forShaping('): ', 1)).toBe(' :(')
  expect(forShaping('(a)', 2)).toBe('(a)')
  expect(forShaping('۱۲٫۵', 2)).toBe('۵٫۲۱')
  expect(forShaping('12', 2)).toBe('12')
})
