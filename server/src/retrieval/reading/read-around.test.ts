import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, pages } from '../../../tests/support/search/passages.ts'
import { openTestEngine } from '../../../tests/support/search/search-engine.ts'
import type { LanceEngine } from '../../search/lance/lance-engine.ts'
import { readAround } from './read-around.ts'

const DOCUMENT = newId()
const textOf = (ordinal: number) => `p${ordinal}${' word'.repeat(119)}`

let engine: LanceEngine
let close: () => Promise<void>

beforeAll(async () => {
  ;({ engine, close } = await openTestEngine())
  const texts = Array.from({ length: 20 }, (_, ordinal) => textOf(ordinal))
  await engine.add('space', pages(DOCUMENT, texts))
})
afterAll(() => close())

const around = async (...ordinals: number[]) => {
  const hits = ordinals.map((ordinal) => ({ documentId: DOCUMENT, ordinal, text: textOf(ordinal) }))
  return (await readAround(engine, 'space', hits)).map((text) =>
    [...text.matchAll(/p(\d+)/g)].map(([, at]) => Number(at)),
  )
}

test('a hit comes with as many whole neighbours as make 1,000 words', async () => {
  expect(await around(10)).toEqual([[7, 8, 9, 10, 11, 12, 13, 14]])
  expect(await around(0)).toEqual([[0, 1, 2, 3, 4, 5, 6]])
})

test('a passage goes to one hit alone, the first that reaches it', async () => {
  expect(await around(10, 12)).toEqual([
    [4, 5, 6, 7, 8, 9, 10, 11],
    [12, 13, 14, 15, 16, 17, 18],
  ])
  expect((await around(3, 4, 5, 6, 7)).flat().sort((a, b) => a - b)).toEqual(
    Array.from({ length: 14 }, (_, ordinal) => ordinal),
  )
})
