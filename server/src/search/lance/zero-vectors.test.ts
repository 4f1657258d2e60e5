import { expect, onTestFinished, test } from 'vitest'
import { passage } from '../../../tests/support/search/passages.ts'
import { openTestEngine } from '../../../tests/support/search/search-engine.ts'

test('a passage with a vector of zeros is found by its words, and by no vector', async () => {
  const { engine, close } = await openTestEngine()
  onTestFinished(close)
  const known = passage('The valve opens.', { vector: Float32Array.of(1, 0) })
  const unknown = passage('Zorblax quuxify.', { vector: Float32Array.of(0, 0) })
  await engine.add('org', [known, unknown])
  const found = async (text: string, vector: Float32Array) =>
    (await engine.search('org', { text, vector, limit: 10 })).hits.map(({ id, ranks }) => [id, ranks.meaning])
  expect(await found('zorblax', Float32Array.of(0, 0))).toEqual([[unknown.id, null]])
  expect(await found('nowhere', Float32Array.of(1, 0))).toEqual([[known.id, 1]])
  expect(await found('zorblax', Float32Array.of(1, 0))).toEqual(
    expect.arrayContaining([
      [known.id, 1],
      [unknown.id, null],
    ]),
  )
})
