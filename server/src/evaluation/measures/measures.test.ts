import { expect, test } from 'vitest'
import { compareCases } from './compare.ts'
import { holds, measure, ndcgAt, ranksOf, recallAt } from './measures.ts'

const found = [
  { data_source_id: 'a', text: 'A refund is paid\nwithin “fourteen” days.' },
  { data_source_id: 'b', text: 'Nothing of the kind' },
  { data_source_id: 'a', text: 'The shop pays for the parcel.' },
]

test('ranks are those of the first passage that meets an expectation', () => {
  const expected = [
    { id: 'a', passage: null },
    { id: 'a', passage: 'the shop pays' },
    { id: 'c', passage: null },
  ]
  expect(ranksOf(found, expected)).toEqual([1, 3, undefined])
})

test('recall and gain follow their formulas', () => {
  expect(recallAt(2, [1, 3, undefined])).toBeCloseTo(1 / 3)
  expect(recallAt(5, [])).toBeNull()
  const best = 1 + 1 / Math.log2(3) + 1 / 2
  expect(ndcgAt(10, [3, undefined, 1])).toBeCloseTo((1 + 1 / 2) / best)
  expect(ndcgAt(10, [1])).toBe(1)
  expect(ndcgAt(2, [3])).toBe(0)
  // Two expectations that one passage meets gain no more than two passages in the best order.
  expect(ndcgAt(10, [1, 1])).toBe(1)
})

test('a text is held word by word, whatever marks and breaks it has', () => {
  expect(holds('It takes "fourteen\ndays" [1], at most.', 'fourteen days')).toBe(true)
  expect(holds('It takes fourteen [2] days.', 'Fourteen days')).toBe(true)
  expect(holds('It takes 140 days.', '14')).toBe(false)
  expect(holds('anything', '…')).toBe(false)
})

test('an answer without citations counts as declined, unless a judge says otherwise or there are no documents', () => {
  const asked = { expectedAnswers: [], expected: [], isAnswerable: false }
  const answered = { text: 'I do not know.', found, citedIds: [], hasDocuments: true }
  expect(measure(asked, answered)).toMatchObject({ declined: true, declined_right: true, quoted: null })
  expect(measure({ ...asked, isAnswerable: true }, answered)).toMatchObject({ declined_right: false })
  expect(measure(asked, { ...answered, hasDocuments: false })).toMatchObject({ declined: null, declined_right: null })
  expect(measure(asked, { ...answered, judged: { score: 0, declined: false } })).toMatchObject({
    declined: false,
    judge_score: 0,
  })
})

test('a case gets better, worse or both, and another question under its id is not compared', () => {
  const none = { recall_at_5: null, recall_at_10: null, ndcg_at_10: null, quoted: null, cited_expected: null }
  const result = (question: string, measures: object) => ({
    caseId: 'x',
    asked: {
      question,
      expectedAnswers: [],
      referenceAnswer: null,
      expectedFiles: [],
      tags: [],
      isAnswerable: true,
    },
    status: 'answered' as const,
    counted: {
      isAnswerable: true,
      isFailed: false,
      measures: { ...none, declined: false, declined_right: true, judge_score: 0.5, ...measures },
      latencyMs: 1,
      inputTokens: 1,
      outputTokens: 1,
      costMicros: 0,
    },
    fileIds: [],
  })
  const changeTo = (measures: object, question = 'Why?') =>
    compareCases([result('Why?', { quoted: true })], [result(question, measures)])[0]
  expect(changeTo({ quoted: true })).toMatchObject({ change: 'same' })
  expect(changeTo({ quoted: false })).toMatchObject({ change: 'worse', worse: ['quoted'] })
  expect(changeTo({ quoted: true, judge_score: 1 })).toMatchObject({ change: 'better', better: ['judge_score'] })
  expect(changeTo({ quoted: false, judge_score: 1 })).toMatchObject({ change: 'mixed' })
  expect(changeTo({ quoted: false }, 'How?')).toMatchObject({ change: 'not_comparable' })
})
