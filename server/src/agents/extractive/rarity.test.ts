import { expect, test } from 'vitest'
import { termOf } from '../../search/analysis/analysis.ts'
import { raritiesOf } from './rarity.ts'

const rarities = (question: string, words: string[]) => raritiesOf(question, words.map(termOf))

test('the rarer a word is in English, the more it says about what a question is about', () => {
  const [people, lamp, skerryvore] = rarities('How many people does the lamp of Skerryvore need?', [
    'people',
    'lamp',
    'Skerryvore',
  ]) as [number, number, number]
  expect(people).toBe(0)
  expect(lamp).toBeGreaterThan(people)
  expect(skerryvore).toBe(1)
})

test('numbers and words of other languages are neither rare nor common', () => {
  expect(rarities('What happened in 1844?', ['happened', '1844'])[1]).toBe(0.6)
  expect(rarities('Wie hoch ist die Miete für den Saal?', ['Miete', 'Saal', 'hoch'])).toEqual([0.6, 0.6, 0.6])
  expect(rarities('opening hours library', ['opening', 'hours', 'library'])).not.toContain(0.6)
})
