import { afterAll, beforeAll, expect, test } from 'vitest'
import { passage } from '../../../tests/support/search/passages.ts'
import { openTestEngine } from '../../../tests/support/search/search-engine.ts'
import { WORD_FORM_QUESTIONS } from '../../../tests/support/search/word-form-questions.ts'
import type { LanceEngine } from './lance-engine.ts'

const LANGUAGES = Object.keys(WORD_FORM_QUESTIONS)

let engine: LanceEngine
let close: () => Promise<void>

beforeAll(async () => {
  ;({ engine, close } = await openTestEngine())
  for (const language of LANGUAGES) {
    const texts = WORD_FORM_QUESTIONS[language]!.flatMap(([right, _, other]) => [right, other])
    await engine.add(
      language,
      texts.map((text) => passage(text)),
    )
  }
})
afterAll(() => close())

const firstOf = async (language: string, question: string) =>
  (await engine.search(language, { text: question, limit: 3 })).hits[0]?.text

test.each(LANGUAGES)(
  'in %s a question finds the other forms of its words, before and after they are indexed',
  async (language) => {
    const pairs = WORD_FORM_QUESTIONS[language]!
    const foundFirst = () => Promise.all(pairs.map(([, question]) => firstOf(language, question)))
    const expected = pairs.map(([passage]) => passage)
    expect(await foundFirst()).toEqual(expected)
    await engine.maintain(language)
    expect(await foundFirst()).toEqual(expected)
  },
)

test('forms count as the word itself, and those that no passage holds are left out', async () => {
  const { terms } = await engine.search('german', { text: 'Wie enden die Mietverträge?', limit: 3 })
  expect(terms).toMatchObject([
    { term: 'enden', count: 1, forms: ['endet'] },
    { term: 'mietvertrag', count: 1 },
  ])
})
