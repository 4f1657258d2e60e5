import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId, passage } from '../../../../tests/support/search/passages.ts'
import { openTestEngine } from '../../../../tests/support/search/search-engine.ts'
import type { Hit } from '../../engine.ts'
import type { LanceEngine } from '../lance-engine.ts'

const GROUPS = 300
const PASSAGES_A_GROUP = 4

let engine: LanceEngine
let close: () => Promise<void>
const groups = Array.from({ length: GROUPS }, newId)

beforeEach(async () => {
  ;({ engine, close } = await openTestEngine())
  const passages = groups.flatMap((groupId, at) =>
    Array.from({ length: PASSAGES_A_GROUP }, (_, ordinal) =>
      passage(`valve ${'seal '.repeat((at * 7 + ordinal) % 13)}of pump ${at} ${at < GROUPS / 2 ? 'north' : 'south'}`, {
        groupId,
        ordinal,
      }),
    ),
  )
  await engine.add('org', passages)
  await engine.maintain('org')
})

afterEach(() => close())

const search = async (text: string, groupIds?: string[], limit = 20) =>
  (await engine.search('org', { text, groupIds, limit })).hits

const wordsOf = (hits: Hit[]) => hits.map(({ bm25 }) => bm25)

test.each([
  ['all groups', groups],
  ['two thirds of them', groups.slice(0, 200)],
  [
    'every other one and some that hold nothing',
    groups.filter((_, at) => at % 2 === 0).concat(Array.from({ length: 50 }, newId)),
  ],
])('a filter of %s finds the same at each search, and nothing else', async (_, ids) => {
  const filtered = await search('seal of a valve', ids)
  for (const again of [await search('seal of a valve', ids), await search('seal of a valve', ids)]) {
    expect(wordsOf(again)).toEqual(wordsOf(filtered))
    expect(again.every(({ groupId }) => ids.includes(groupId))).toBe(true)
  }
  expect(filtered).toHaveLength(20)
})

test('what only groups outside of a wide filter hold is not found, and what few inside hold is', async () => {
  const north = groups.slice(0, 200)
  await search('seal', north)
  const south = await search('south valve', north, 100)
  expect(south).toHaveLength(100)
  expect(south.every(({ groupId }) => north.includes(groupId))).toBe(true)
  expect(wordsOf(south)).toEqual(wordsOf(await search('south valve', [...north, newId()], 100)))
  expect((await search('pump 17', north)).at(0)?.groupId).toBe(groups[17])
  expect((await search('299', north)).length).toBe(0)
})

test('what is added to a group later is found with a filter that is known', async () => {
  await search('seal', groups)
  await engine.add('org', [passage('seal of the gauge', { groupId: groups[5] })])
  expect((await search('gauge', groups)).map(({ groupId }) => groupId)).toEqual([groups[5]])
})
