import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMPOUND_QUESTIONS } from '../../../tests/support/compound-questions.ts'
import { LanceEngine } from './lance-engine.ts'

const GROUP = '0'.repeat(24)
const idOf = (number: number) => number.toString(16).padStart(24, '0')

let folder: string
let engine: LanceEngine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-compounds-'))
  engine = new LanceEngine({
    uri: folder,
    onBackgroundError: (error) => {
      throw error
    },
  })
  const texts = COMPOUND_QUESTIONS.flatMap(([right, _, other]) => [right, other])
  const passages = texts.map((text, at) => ({
    id: idOf(at + 1),
    documentId: idOf(at + 1),
    groupId: GROUP,
    ordinal: 0,
    heading: '',
    text,
    location: '{}',
  }))
  await engine.add('german', passages)
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

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
