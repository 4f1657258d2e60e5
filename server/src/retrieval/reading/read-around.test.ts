import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LanceEngine } from '../../search/lance/lance-engine.ts'
import { readAround } from './read-around.ts'

const DOCUMENT = '1'.repeat(24)
const textOf = (ordinal: number) => `p${ordinal}${' word'.repeat(119)}`

let folder: string
let engine: LanceEngine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-around-'))
  engine = new LanceEngine({
    uri: folder,
    onBackgroundError: (error) => {
      throw error
    },
  })
  const passages = Array.from({ length: 20 }, (_, ordinal) => ({
    id: ordinal.toString(16).padStart(24, '0'),
    documentId: DOCUMENT,
    groupId: '0'.repeat(24),
    ordinal,
    heading: '',
    text: textOf(ordinal),
    location: '{}',
  }))
  await engine.add('space', passages)
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

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
