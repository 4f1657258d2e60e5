import { expect, test } from 'vitest'
import { idfOf } from '../ranking/bm25.ts'
import { createTermWeights, type TermSource } from './term-weights.ts'

/** A space of 1,000 passages of 100 terms; `held` says how many hold the term, the best one of them twice. */
function source(held: number): TermSource & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    countPassages: async () => 1_000,
    sampleBodies: async () => [`${'filler '.repeat(100)}`],
    bestFor: async (term) => {
      asked.push(term)
      if (held === 0) return undefined
      const bm25 = (idfOf(held, 1_000) * 2.2 * 2) / (2 + 1.2)
      return { bm25, body: `${term} ${term} ${'filler '.repeat(98)}` }
    },
  }
}

test('how many passages hold a term is read off the best score for it', async () => {
  for (const held of [0, 1, 7, 120, 999]) {
    const { documentFrequencies } = await createTermWeights(source(held)).statistics(['oil'])
    expect(documentFrequencies).toEqual([held])
  }
})

test('frequencies are kept for a minute, unless the space changes', async () => {
  let now = 1_000_000
  const asking = source(7)
  const weights = createTermWeights(asking, { now: () => now })
  await weights.statistics(['oil'])
  await weights.statistics(['oil'])
  expect(asking.asked).toEqual(['oil'])

  now += 61_000
  await weights.statistics(['oil'])
  expect(asking.asked).toHaveLength(2)

  asking.countPassages = async () => 1_100
  await weights.statistics(['oil'])
  expect(asking.asked).toHaveLength(3)

  weights.forget()
  await weights.statistics(['oil'])
  expect(asking.asked).toHaveLength(4)
})

test('a failed look-up is not kept', async () => {
  const failing = source(7)
  const bestFor = failing.bestFor
  failing.bestFor = () => Promise.reject(new Error('gone'))
  const weights = createTermWeights(failing)
  await expect(weights.statistics(['oil'])).rejects.toThrow('gone')
  failing.bestFor = bestFor
  expect((await weights.statistics(['oil'])).documentFrequencies).toEqual([7])
})
