import { expect, test } from 'vitest'
import { scoreOf } from '../../server/src/agents/extractive/pick-sentences.ts'
import { fitDecision, fitRanking } from './fit-weights.ts'

const noise = (place: number) => (place * 7919) % 13

test('a ranking puts the right candidate of each question first, by the feature that tells it', () => {
  const choices = Array.from({ length: 64 }, (_, question) =>
    [0, 1, 2].map((place) => {
      const isRight = place === question % 3
      return { features: { tells: isRight ? 2 : 1, noise: noise(question + place) }, isRight }
    }),
  )
  const weights = fitRanking(choices, { passes: 200 })
  const firsts = choices.map(
    (choice) => choice.toSorted((a, b) => scoreOf(b.features, weights) - scoreOf(a.features, weights))[0],
  )
  expect(firsts.filter((first) => first?.isRight)).toHaveLength(choices.length)
})

test('a decision is above 0 for the rows of its class and below for others', () => {
  const rows = Array.from({ length: 90 }, (_, place) => ({
    features: { tells: place % 3 === 0 ? 5 : 4, noise: noise(place) },
    isRight: place % 3 === 0,
  }))
  const weights = fitDecision(rows)
  expect(rows.filter(({ features, isRight }) => scoreOf(features, weights) > 0 === isRight)).toHaveLength(90)
})
