import { expect, test } from 'vitest'
import { idfOf } from './bm25.ts'
import { fuseRanks } from './fusion.ts'
import { proximityBonus } from './proximity.ts'
import { rerank } from './rerank.ts'

test('terms side by side earn more than terms apart, and one term alone earns nothing', () => {
  const idf = [4, 1]
  const apart = (words: number) =>
    proximityBonus(
      [
        { term: 0, position: 10 },
        { term: 1, position: 10 + words },
      ],
      idf,
    )
  expect(apart(1)).toBeCloseTo(1)
  expect(apart(4)).toBeCloseTo(0.25)
  expect(
    proximityBonus(
      [
        { term: 0, position: 1 },
        { term: 0, position: 2 },
      ],
      idf,
    ),
  ).toBe(0)
})

test('a pair that stands together twice earns once', () => {
  const once = [0, 1].map((position) => ({ term: position, position }))
  const twice = [...once, ...once.map(({ term }) => ({ term, position: 50 + term }))]
  expect(proximityBonus(twice, [2, 2])).toBeCloseTo(proximityBonus(once, [2, 2]))
})

test('of two passages with the same words, the one that has them together comes first', () => {
  const apart = { body: 'a hole in the ground and later something black', bm25: 3.1 }
  const together = { body: 'the ground below a black hole', bm25: 3 }
  const { candidates } = rerank([apart, together], ['black', 'hole'], {
    passages: 10,
    documentFrequencies: [2, 2],
  })
  expect(candidates.map(({ candidate }) => candidate)).toEqual([together, apart])
})

test('a term that only passages hold which are not indexed yet is not taken for unknown', () => {
  const fresh = { body: 'zebrafish', bm25: 1 }
  const { terms } = rerank([fresh, fresh], ['zebrafish', 'unicorn'], {
    passages: 10,
    documentFrequencies: [0, 0],
  })
  expect(terms).toEqual([
    { term: 'zebrafish', idf: idfOf(2, 10) },
    { term: 'unicorn', idf: idfOf(0, 10) },
  ])
})

test('what both lists know comes before what one list knows, and words count more than vectors', () => {
  const scores = fuseRanks(['a', 'b', 'c'], ['d', 'c'])
  expect([...scores].sort((x, y) => y[1] - x[1]).map(([key]) => key)).toEqual(['c', 'a', 'b', 'd'])
})
