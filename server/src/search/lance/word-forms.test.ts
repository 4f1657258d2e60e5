import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORD_FORM_QUESTIONS } from '../../../tests/support/word-form-questions.ts'
import { LanceEngine } from './lance-engine.ts'

const LANGUAGES = Object.keys(WORD_FORM_QUESTIONS)
const GROUP = '0'.repeat(24)
const idOf = (number: number) => number.toString(16).padStart(24, '0')

let folder: string
let engine: LanceEngine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-forms-'))
  engine = new LanceEngine({
    uri: folder,
    onBackgroundError: (error) => {
      throw error
    },
  })
  for (const language of LANGUAGES) {
    const passages = WORD_FORM_QUESTIONS[language]!.flatMap(([right, _, other]) => [right, other]).map((text, at) => ({
      id: idOf(at + 1),
      documentId: idOf(at + 1),
      groupId: GROUP,
      ordinal: 0,
      heading: '',
      text,
      location: '{}',
    }))
    await engine.add(language, passages)
  }
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

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
