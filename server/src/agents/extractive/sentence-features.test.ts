import { expect, test } from 'vitest'
import type { FoundPassage } from '../../retrieval/search-data.ts'
import { readQuestion } from './asked-question.ts'
import { candidatesOf } from './sentence-features.ts'

const terms = ['compos', 'symphoni', 'salford'].map((term) => ({ term, idf: 1, count: 1 }))

function featuresOf(question: string, hit: string, passage: Partial<FoundPassage> = {}) {
  const asked = readQuestion(question, terms)
  if (!asked) throw new Error('A question without terms')
  const found = { index: 1, data_source_id: '', title: '', location: {}, text: hit, hit, score: 1, bm25: 1, ...passage }
  return candidatesOf(asked, [found]).map(({ text, features }) => ({ text, ...features }) as Record<string, unknown>)
}

test('a sentence has what it holds itself, above it, before it and in another form', () => {
  const [first, second] = featuresOf(
    'Who composed the symphony in Salford?',
    'A symphony. Its composition took long.',
    {
      title: 'Salford',
    },
  )
  expect(first).toMatchObject({ own: 1 / 3, above: 1 / 3, anotherForm: 0, opening: 1 })
  expect(second).toMatchObject({ before: 1 / 3, beforeOfPronoun: 1 / 3, above: 1 / 3, own: 0, anotherForm: 1 / 3 })
})

test('signs of the answer asked for count only where the question does not hold them', () => {
  const [in1844] = featuresOf('When was the symphony of 1844 composed?', 'The symphony was composed in 1844.')
  const [in1850] = featuresOf('When was the symphony of 1844 composed?', 'The symphony was composed in 1850.')
  expect(in1844).not.toHaveProperty('when:date')
  expect(in1850).toHaveProperty('when:date', 1)
})

test('terms in order and side by side are told from the same terms in disorder', () => {
  const [inOrder, inDisorder] = featuresOf(
    'Who composed symphonies for Salford?',
    'He composed symphonies for Salford. Salford heard symphonies that he composed.',
  )
  expect(inOrder).toMatchObject({ order: 1, pairs: 1 })
  expect(inDisorder).toMatchObject({ order: 1 / 3, pairs: 0 })
})

test('questions in a document are no candidates, and footnote marks no part of a sentence', () => {
  expect(
    featuresOf('Who composed it?', 'Who composed it? She did.[12][13] Nobody asked.').map(({ text }) => text),
  ).toEqual(['She did.', 'Nobody asked.'])
})
