import { expect, test } from 'vitest'
import { newId, passage } from '../../../tests/support/search/passages.ts'
import type { Passage } from '../engine.ts'
import { idfOf } from '../ranking/bm25.ts'
import { RecentPassages, type RecentQuery } from './recent-passages.ts'

async function found(recent: RecentPassages, terms: string[], query: Partial<RecentQuery> = {}) {
  const ofIndex = Promise.resolve({ passages: 100, documentFrequencies: terms.map(() => 5), averageLength: 3 })
  return recent.find({ terms, counts: terms.map(() => 1), limit: 10, ...query }, ofIndex)
}

const texts = async (...args: Parameters<typeof found>) =>
  (await found(...args)).hits.map(({ passage }) => passage.text)

test('passages are found by their terms, the one that holds more of them first', async () => {
  const recent = new RecentPassages(true)
  recent.add([passage('valves open'), passage('a pump'), passage('the valve of a pump')])
  expect(await texts(recent, ['valv', 'pump'])).toEqual(['the valve of a pump', 'a pump', 'valves open'])
  expect(await texts(recent, ['turbin'])).toEqual([])
  expect(await texts(recent, ['valv', 'pump'], { limit: 1 })).toEqual(['the valve of a pump'])
})

test('BM25 counts what is indexed and what is here', async () => {
  const recent = new RecentPassages(true)
  recent.add([passage('valve tap pump'), passage('valve tap')])
  const { hits, statistics } = await found(recent, ['valv', 'pump'])
  expect(statistics).toEqual({ passages: 100, documentFrequencies: [7, 6], averageLength: 3 })
  expect(hits[0]?.bm25).toBeCloseTo(idfOf(7, 100) + idfOf(6, 100))
})

test('words without spaces between them are found', async () => {
  const recent = new RecentPassages(true)
  recent.add([passage('東京タワーは港区にあります。'), passage('港区')])
  expect(await texts(recent, ['東京', 'タワー'])).toEqual(['東京タワーは港区にあります。'])
})

test('groups, documents, moves, removals, trims and replacements are obeyed at once', async () => {
  const recent = new RecentPassages(true)
  const [document, group, target] = [newId(), newId(), newId()]
  const pages = [0, 1, 2].map((ordinal) =>
    passage(`valve ${ordinal}`, { documentId: document, groupId: group, ordinal }),
  )
  const other = passage('valve other')
  recent.add([...pages, other])
  const ask = (query: Partial<RecentQuery> = {}) => texts(recent, ['valv'], query)
  expect(await ask({ groupIds: [group] })).toHaveLength(3)
  expect(await ask({ documentIds: [other.documentId] })).toEqual(['valve other'])
  expect(await ask({ exceptDocumentIds: [document] })).toEqual(['valve other'])

  recent.move(document, target)
  expect(await ask({ groupIds: [group] })).toEqual([])
  expect(await ask({ groupIds: [target] })).toHaveLength(3)
  expect((await found(recent, ['valv'], { groupIds: [target] })).hits[0]?.passage.groupId).toBe(target)

  recent.trim(document, 1)
  recent.add([{ ...(pages[0] as Passage), text: 'valve new' }])
  expect((await ask()).sort()).toEqual(['valve new', 'valve other'])
  recent.remove([document])
  expect(await ask()).toEqual(['valve other'])
})

test('what a compaction has indexed goes, what came meanwhile stays', async () => {
  const recent = new RecentPassages(true)
  recent.add([passage('valve old')])
  const generation = recent.seal()
  recent.add([passage('valve new')])
  expect(recent.countSince(generation)).toBe(1)
  recent.release(generation)
  expect(await texts(recent, ['valv'])).toEqual(['valve new'])
})

test('a search that began before a compaction ended still sees what was there', async () => {
  const recent = new RecentPassages(true)
  recent.add([passage('valve old')])
  const searching = texts(recent, ['valv'])
  recent.release(recent.seal())
  expect(await searching).toEqual(['valve old'])
})

test('too many passages are not kept, until a compaction has seen them', async () => {
  const recent = new RecentPassages(true)
  recent.add([passage('valve')])
  recent.add(Array.from({ length: 8_000 }, () => passage('pump')))
  expect(recent.isComplete()).toBe(false)
  const generation = recent.seal()
  recent.add([passage('tap')])
  recent.release(generation)
  expect(recent.isComplete()).toBe(true)
  expect(await texts(recent, ['tap', 'pump', 'valv'])).toEqual(['tap'])
})

test('passages that were never announced make it incomplete until the first compaction', () => {
  const recent = new RecentPassages(false)
  expect(recent.isComplete()).toBe(false)
  recent.release(recent.seal())
  expect(recent.isComplete()).toBe(true)
})
