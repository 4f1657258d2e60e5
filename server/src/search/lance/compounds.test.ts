import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMPOUND_QUESTIONS } from '../../../tests/support/search/compound-questions.ts'
import { passage } from '../../../tests/support/search/passages.ts'
import { openTestEngine } from '../../../tests/support/search/search-engine.ts'
import type { LanceEngine } from './lance-engine.ts'

let engine: LanceEngine
let close: () => Promise<void>

beforeAll(async () => {
  ;({ engine, close } = await openTestEngine())
  const texts = COMPOUND_QUESTIONS.flatMap(([right, _, other]) => [right, other])
  await engine.add(
    'german',
    texts.map((text) => passage(text)),
  )
})
afterAll(() => close())

const search = (text: string) => engine.search('german', { text, limit: 3 })

test('compounds find their parts, and parts the compounds, before and after they are indexed', async () => {
  const foundFirst = () =>
    Promise.all(COMPOUND_QUESTIONS.map(async ([, question]) => (await search(question)).hits[0]?.text))
  const expected = COMPOUND_QUESTIONS.map(([passage]) => passage)
  expect(await foundFirst()).toEqual(expected)
  await engine.maintain('german')
  expect(await foundFirst()).toEqual(expected)
})

test('only words that stand in one passage together are parts of a compound that stands nowhere', async () => {
  const termsOf = async (text: string) => (await search(text)).terms.map(({ term }) => term)
  expect(await termsOf('Wer verwahrt den Lagerschlüssel?')).toEqual([
    'verwahrt',
    'lagerschlussel',
    'lager',
    'schlussel',
  ])
  expect(await termsOf('Wer verwahrt die Lagerkündigung?')).toEqual(['verwahrt', 'lagerkundigung'])
})
