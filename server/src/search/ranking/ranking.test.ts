import { describe, expect, test } from 'vitest'
import { idfOf } from './bm25.ts'
import { feedbackBonuses } from './feedback.ts'
import { fuseScores } from './fusion.ts'
import { proximityBonus } from './proximity.ts'
import { rerank } from './rerank.ts'
import type { SearchedPart } from './term-idf.ts'

const once = (terms: string[]) => ({ terms, counts: terms.map(() => 1) })

test('terms side by side earn more than terms apart, and one term alone earns nothing', () => {
  const idf = [1, 4]
  const apart = (words: number) =>
    proximityBonus(
      [
        { term: 1, position: 10 },
        { term: 0, position: 10 + words },
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
  const apart = { body: 'a hole in the ground and later something black', headingLength: 0, bm25: 3.1 }
  const together = { body: 'the ground below a black hole', headingLength: 0, bm25: 3 }
  const { candidates } = rerank([apart, together], once(['black', 'hole']), {
    passages: 10,
    documentFrequencies: [2, 2],
  })
  expect(candidates.map(({ candidate }) => candidate)).toEqual([together, apart])
})

test('a term that only passages hold which are not indexed yet is not taken for unknown', () => {
  const fresh = { body: 'zebrafish', headingLength: 0, bm25: 1 }
  const { terms } = rerank([fresh, fresh], once(['zebrafish', 'unicorn']), {
    passages: 10,
    documentFrequencies: [0, 0],
  })
  expect(terms).toEqual([
    { term: 'zebrafish', idf: idfOf(2, 10), count: 1 },
    { term: 'unicorn', idf: idfOf(0, 10), count: 1 },
  ])
})

const listOf = (ids: string, from: number, to: number) =>
  [...ids].map((id, at) => ({ id, score: from + ((to - from) * at) / Math.max(1, ids.length - 1) }))
const fusedOrder = (...lists: Parameters<typeof fuseScores>) =>
  [...fuseScores(...lists)].sort((x, y) => y[1] - x[1]).map(([id]) => id)

test('what both lists know comes before what one list knows, and words count more than vectors', () => {
  expect(fusedOrder(listOf('abc', 9, 8.9), listOf('dcxyz', 0.9, 0.1))).toEqual(['c', 'a', 'b', 'd', 'x', 'y', 'z'])
})

test('vectors count more where they find what the words find, and alone where words find nothing', () => {
  const lexical = listOf('abcdefghij', 9, 5)
  const gains = (ids: string) => {
    const before = new Map(lexical.map(({ id, score }) => [id, score]))
    const [first = ''] = ids
    return (fuseScores(lexical, listOf(ids, 0.9, 0.1)).get(first) ?? 0) - (before.get(first) ?? 0)
  }
  const rest = Array.from({ length: 40 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
  expect(gains(`jihgfedcba${rest}`)).toBeCloseTo(9 * 0.6)
  expect(gains(`jihgfqrstu${rest}`)).toBeCloseTo(9 * 0.35)
  expect(gains(`klmnopqrst${rest}`)).toBeCloseTo(9 * 0.1)
  expect(fusedOrder([], listOf('cab', 0.9, 0.1))).toEqual(['c', 'a', 'b'])
})

test('similarities count by how far apart they are, on whatever scale', () => {
  const lexical = listOf('ab', 9, 8)
  const scale = (by: number, from: number) => listOf('bxyzv', from + by, from)
  expect(fuseScores(lexical, scale(0.01, 0.8)).get('b')).toBeCloseTo(fuseScores(lexical, scale(2, -1)).get('b')!)
  expect(fuseScores(lexical, [{ id: 'a', score: 0.5 }])).toEqual(fuseScores(lexical, []))
})

test('terms in the order of the question earn more than the same terms the other way round', () => {
  const bonus = (...order: number[]) =>
    proximityBonus(
      order.map((term, position) => ({ term, position })),
      [3, 3],
    )
  expect(bonus(0, 1)).toBeGreaterThan(bonus(1, 0))
})

test('of two passages with the same score, the one whose heading holds a term comes first', () => {
  const below = { body: 'Notes\nthe kiln is hot', headingLength: 5, bm25: 2 }
  const above = { body: 'Kiln\nit is hot today', headingLength: 4, bm25: 2 }
  const { candidates } = rerank([below, above], once(['kiln']), { passages: 10, documentFrequencies: [2] })
  expect(candidates.map(({ candidate }) => candidate)).toEqual([above, below])
  expect(candidates[0]!.bonuses.heading).toBeGreaterThan(0)
})

describe('in a part of a space', () => {
  const passage = { body: 'the kiln is hot', headingLength: 0, bm25: 2 }
  const asked = once(['kiln', 'lamp'])
  const inSpace = { passages: 10_000, documentFrequencies: [3_000, 6_000] }
  const holding = (counts: Record<string, number>) => ({
    size: 10,
    averageWords: 4,
    countHolding: (term: string) => counts[term] ?? 0,
  })
  const sample = holding({ kiln: 2 })
  const weigh = (part?: SearchedPart) => rerank([passage], { ...asked, part }, inSpace).terms.map(({ idf }) => idf)

  test('a term that no candidate holds weighs as much as one that nothing holds', () => {
    expect(weigh()).toEqual([idfOf(3_000, 10_000), idfOf(6_000, 10_000)])
    expect(weigh({ passages: 6_000, sample: undefined, isAll: false })).toEqual([idfOf(1_800, 6_000), idfOf(0, 6_000)])
  })

  test('terms are as rare as in its sample, and as in its candidates if these are all that hold them', () => {
    expect(weigh({ passages: 2_000, sample, isAll: false })).toEqual([idfOf(400, 2_000), idfOf(0, 2_000)])
    expect(weigh({ passages: 2_000, sample, isAll: true })).toEqual([idfOf(1, 2_000), idfOf(0, 2_000)])
  })

  test('a word that each of a few passages holds is not taken for a common one', () => {
    expect(weigh({ passages: 2, sample, isAll: true })).toEqual([idfOf(1, 1_000), idfOf(0, 1_000)])
  })

  test('what the candidates show, and what the space holds, bound the estimate', () => {
    const part = { passages: 2_000, sample: holding({}), isAll: false }
    expect(rerank([passage, passage, passage], { ...asked, part }, inSpace).terms[0]!.idf).toBe(idfOf(3, 2_000))
    const few = { passages: 10_000, documentFrequencies: [5, 0] }
    const often = { ...part, sample: holding({ kiln: 9 }) }
    expect(rerank([passage], { ...asked, part: often }, few).terms[0]!.idf).toBe(idfOf(5, 2_000))
  })

  test('the match of a passage is measured by the mean length of the part, whatever the index says', () => {
    const bm25In = (averageWords: number, bm25: number) => {
      const part = { passages: 2_000, sample: { ...sample, averageWords }, isAll: true }
      return rerank([{ ...passage, bm25 }], { ...asked, part }, inSpace).candidates[0]!.candidate.bm25
    }
    expect(bm25In(4, 2)).toBeCloseTo(idfOf(1, 2_000))
    expect(bm25In(4, 9)).toBe(bm25In(4, 2))
    expect(bm25In(40, 2)).toBeGreaterThan(bm25In(4, 2))
  })
})

test('a long question finds what shares the words of its best passages, and a short one pays nothing for it', () => {
  const subject = 'glaze ash cone wedge'
  const best = Array.from({ length: 10 }, (_, index) => ({ body: `fired ${subject} ${index}`, score: 10 }))
  const others = Array.from({ length: 12 }, (_, index) => ({ body: `train ticket ${index} platform`, score: 4 }))
  const near = { body: subject, score: 4 }
  const terms = Array.from({ length: 8 }, (_, index) => `word${index}`)
  const bonuses = feedbackBonuses([...best, ...others, near], terms)
  expect(bonuses.at(-1)).toBeGreaterThan(bonuses.at(-2)!)
  expect(feedbackBonuses([...best, ...others, near], terms.slice(0, 3)).every((bonus) => bonus === 0)).toBe(true)
  expect(feedbackBonuses(best, terms).every((bonus) => bonus === 0)).toBe(true)
})
