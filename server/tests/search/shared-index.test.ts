import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passage } from '../../src/search/engine.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { readyDatabase } from '../support/database/postgres.ts'
import { startEngineProcess } from '../support/search/engine-processes.ts'
import { type S3Server, startS3Server } from '../support/storage/s3-server.ts'

let s3: S3Server
let count = 0

beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(() => s3.close())

const newId = () => (++count).toString(16).padStart(24, '0')

/** A document of three passages that all hold the word. */
function document(word: string): Passage[] {
  const documentId = newId()
  const groupId = newId()
  return [0, 1, 2].map((ordinal) => ({
    id: newId(),
    documentId,
    groupId,
    ordinal,
    heading: '',
    text: `valve ${word} number ${ordinal}`,
    location: '{}',
  }))
}

const WRITES = 15

/** Two processes that keep one index: in a folder that both reach, or in a bucket. */
async function twoProcesses(where: 'disk' | 'bucket') {
  const DATABASE_URL = await readyDatabase()
  const settings = { DATA_DIR: await temporaryFolder(), DATABASE_URL, ...(where === 'bucket' && s3.settings(newId())) }
  return Promise.all([startEngineProcess(settings), startEngineProcess(settings)])
}

test.each(['disk', 'bucket'] as const)(
  'two processes write to one index on %s at the same time: nothing is lost or doubled, and both find all',
  async (where) => {
    const processes = await twoProcesses(where)
    const documents = processes.map((_, writer) =>
      Array.from({ length: WRITES }, (_, number) => document(`writer${writer} word${number}`)),
    )
    const removed: string[] = []

    await Promise.all(
      processes.map(async ({ engine }, writer) => {
        for (const [number, passages] of documents[writer]!.entries()) {
          // As with a file that is new, one that is indexed again, and a task that runs twice.
          await engine.add('org', passages, { areNew: number % 2 === 0 })
          if (number % 5 === 0) await engine.add('org', passages)
          if (number % 7 === 3) {
            const gone = document('gone')
            await engine.add('org', gone)
            await engine.remove('org', [gone[0]!.documentId])
            removed.push(gone[0]!.documentId)
          }
          if (number % 10 === 9) await engine.maintain('org').catch(() => {})
          const { hits } = await engine.search('org', { text: `writer${writer} word${number}`, limit: 3 })
          expect(hits.map(({ documentId }) => documentId)).toEqual(passages.map(({ documentId }) => documentId))
        }
      }),
    )

    const expected = documents.flat(2)
    for (const { engine, errors } of processes) {
      const ranges = [...new Set(expected.map(({ documentId }) => documentId))].map((documentId) => ({
        documentId,
        from: 0,
        to: 9,
      }))
      expect((await engine.passages('org', ranges)).map(({ id }) => id).sort()).toEqual(
        expected.map(({ id }) => id).sort(),
      )
      expect((await engine.documentIds('org')).sort()).toEqual(ranges.map(({ documentId }) => documentId).sort())
      const { hits } = await engine.search('org', { text: 'valve', limit: 100 })
      expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
      expect(hits).toHaveLength(expected.length)
      expect(errors).toEqual([])
    }
  },
  120_000,
)

test('what one process knows of an index follows what another does to it', async () => {
  const [one, other] = await twoProcesses('bucket')
  const [first, second, third] = [document('first'), document('second'), document('third')]
  expect((await other.engine.search('org', { text: 'valve', limit: 10 })).hits).toEqual([])
  await one.engine.add('org', first)
  expect((await other.engine.search('org', { text: 'first', limit: 10 })).hits).toHaveLength(3)
  await other.engine.add('org', second)
  await one.engine.maintain('org')
  expect((await other.engine.search('org', { text: 'second', limit: 10 })).hits).toHaveLength(3)
  const [idf] = (await other.engine.search('org', { text: 'second', limit: 10 })).terms
  await one.engine.move('org', first[0]!.documentId, second[0]!.groupId)
  const inGroup = { text: 'valve', limit: 10, groupIds: [second[0]!.groupId] }
  expect((await other.engine.search('org', inGroup)).hits).toHaveLength(6)
  await one.engine.trim('org', first[0]!.documentId, 1)
  await one.engine.remove('org', [second[0]!.documentId])
  expect((await other.engine.search('org', inGroup)).hits.map(({ id }) => id)).toEqual([first[0]!.id])
  await other.kill()
  await one.engine.add('org', third)
  expect((await one.engine.search('org', { text: 'valve', limit: 10 })).hits).toHaveLength(4)
  expect(idf!.idf).toBeGreaterThan(0)
})

test('two processes make the same index for the first time, again and again', async () => {
  const processes = await twoProcesses('bucket')
  for (let round = 0; round < 10; round++) {
    const documents = processes.map((_, writer) => document(`writer${writer}`))
    await Promise.all(processes.map(({ engine }, writer) => engine.add(`org${round}`, documents[writer]!)))
    for (const { engine } of processes) {
      expect((await engine.search(`org${round}`, { text: 'valve', limit: 10 })).hits).toHaveLength(6)
    }
  }
})

test('while the bucket is away callers are told so, and afterwards all is as it was', async () => {
  const [one] = await twoProcesses('bucket')
  await one.engine.add('org', document('first'))
  s3.intercept((_, response) => {
    response.writeHead(503).end()
    return true
  })
  try {
    await expect(one.engine.search('org', { text: 'valve', limit: 10 })).rejects.toThrow(
      'cannot reach its search index',
    )
    await expect(one.engine.add('org', document('second'))).rejects.toThrow('cannot reach its search index')
  } finally {
    s3.intercept(() => false)
  }
  await one.engine.add('org', document('third'))
  expect((await one.engine.search('org', { text: 'valve', limit: 10 })).hits).toHaveLength(6)
})
