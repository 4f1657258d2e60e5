import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { passage } from '../../../tests/support/passages.ts'
import { LanceEngine } from './lance-engine.ts'

test('a passage with a vector of zeros is found by its words, and by no vector', async () => {
  const uri = await mkdtemp(join(tmpdir(), 'docent-zeros-'))
  const engine = new LanceEngine({
    uri,
    onBackgroundError: (error) => {
      throw error
    },
  })
  try {
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
  } finally {
    await engine.close()
    await rm(uri, { recursive: true, force: true })
  }
})
